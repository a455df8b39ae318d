-- What was run, with which settings, and what the last run of a benchmark asked for.
CREATE SCHEMA IF NOT EXISTS run;

CREATE TABLE run.run (
    run_id UUID NOT NULL,
    command VARCHAR NOT NULL,
    benchmark VARCHAR,
    started_at TIMESTAMP NOT NULL,
    ended_at TIMESTAMP,
    exit_code INTEGER,
    git_commit VARCHAR,
    package_version VARCHAR NOT NULL,
    duckdb_version VARCHAR NOT NULL,
    settings VARCHAR NOT NULL,
    view_versions VARCHAR NOT NULL,
    PRIMARY KEY (run_id)
);
COMMENT ON TABLE run.run IS
'One row per command that changed rows; settings are JSON without secrets.';

CREATE TABLE run.asked (
    benchmark VARCHAR NOT NULL,
    kind VARCHAR NOT NULL,
    name VARCHAR NOT NULL,
    repeats INTEGER NOT NULL DEFAULT 1,
    sampling VARCHAR NOT NULL DEFAULT '{}',
    position INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (benchmark, kind, name),
    CHECK (kind IN (
        'judge', 'negotiator', 'classifier', 'filter', 'constructor', 'writer',
        'marker', 'perturber', 'tree', 'reference_mode', 'presentation', 'metric'
    ))
);
COMMENT ON TABLE run.asked IS
'Models, trees and modes that the last run of a benchmark asked for; views show these only.';

CREATE TABLE run.status (
    list VARCHAR NOT NULL,
    status VARCHAR NOT NULL,
    handling VARCHAR NOT NULL,
    PRIMARY KEY (list, status),
    CHECK (handling IN ('good', 'retry', 'final', 'recompute'))
);
COMMENT ON TABLE run.status IS
'The five closed status lists; retry = asked again next run, recompute = follows the input.';

CREATE TABLE run.view_version (
    name VARCHAR NOT NULL,
    version VARCHAR NOT NULL,
    PRIMARY KEY (name)
);
COMMENT ON TABLE run.view_version IS 'Which version each bare bench name reads (sql/current.sql).';

CREATE TABLE run.number (n INTEGER NOT NULL, PRIMARY KEY (n));
COMMENT ON TABLE run.number IS 'The whole numbers 0 to 999, for repeats and samples.';
INSERT INTO run.number SELECT range FROM range(0, 1000);
