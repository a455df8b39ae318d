-- Bytes as they came: crawled pages and lines of imported files.
CREATE SCHEMA IF NOT EXISTS raw;

CREATE TYPE raw.page_status AS ENUM(
    'ok', 'robots', 'http_error', 'too_large', 'undecodable', 'not_article', 'too_short',
    'duplicate', 'near_duplicate', 'extract_failed', 'extract_timeout', 'below_quality',
    'withdrawn'
);

CREATE TABLE raw.page (
    page_id VARCHAR NOT NULL,
    benchmark VARCHAR NOT NULL,
    source VARCHAR NOT NULL,
    url VARCHAR NOT NULL,
    kind VARCHAR NOT NULL,
    article_url VARCHAR NOT NULL,
    part INTEGER NOT NULL,
    fetched_at TIMESTAMP NOT NULL,
    http_status INTEGER,
    content_type VARCHAR,
    body BLOB,
    body_hash VARCHAR,
    licence VARCHAR,
    landing_file VARCHAR NOT NULL,
    status raw.page_status NOT NULL,
    reason VARCHAR,
    run_id UUID NOT NULL,
    PRIMARY KEY (page_id)
);
COMMENT ON TABLE raw.page IS 'One row per landing record; kind is list, article or other.';

CREATE TABLE raw.record (
    record_id VARCHAR NOT NULL,
    benchmark VARCHAR NOT NULL,
    kind VARCHAR NOT NULL,
    file VARCHAR NOT NULL,
    line INTEGER NOT NULL,
    body BLOB NOT NULL,
    status VARCHAR NOT NULL,
    reason VARCHAR,
    run_id UUID NOT NULL,
    PRIMARY KEY (record_id),
    CHECK (status IN ('ok', 'malformed', 'unknown_item', 'superseded'))
);
COMMENT ON TABLE raw.record IS
'One row per line of an imported file; record_id = sha256 of benchmark, file and bytes.';
