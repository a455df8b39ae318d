-- Answers of heavy views, kept until their inputs change; the tables themselves follow the views.
CREATE SCHEMA IF NOT EXISTS snapshot;

CREATE TABLE snapshot.state (
    view VARCHAR NOT NULL,
    tables VARCHAR[] NOT NULL,
    fingerprint VARCHAR NOT NULL,
    n_row BIGINT NOT NULL,
    seconds DOUBLE NOT NULL,
    PRIMARY KEY (view)
);
COMMENT ON TABLE snapshot.state IS
'One row per table snapshot.<view>: tables it rests on, their hash when built, rows, seconds.';
