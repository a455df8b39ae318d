-- Scratch tables of one run (data/pending.duckdb, small row groups so that calls run in parallel).
-- A call step fills pending.cell (rows that still want an answer, each with its call key), asks the
-- requests that have no stored reply (sql/requests.sql), and joins pending.settled back on the key.
CREATE TABLE pending.run (
    run_id UUID NOT NULL,
    extractor_version VARCHAR NOT NULL,
    sketch_version VARCHAR NOT NULL
);
CREATE TABLE pending.retry (status VARCHAR NOT NULL);
CREATE TABLE pending.selected_item (benchmark VARCHAR NOT NULL, item_id VARCHAR NOT NULL);
CREATE TABLE pending.selected_system (system VARCHAR NOT NULL);
CREATE TABLE pending.perturbation (
    perturbation VARCHAR NOT NULL,
    task VARCHAR,
    seed INTEGER NOT NULL,
    n_writing INTEGER NOT NULL
);

CREATE TABLE pending.cell (
    call_key VARCHAR,
    benchmark VARCHAR,
    stage VARCHAR,
    model VARCHAR,
    prompt_id VARCHAR,
    prompt_hash VARCHAR,
    repeat INTEGER,
    sampling VARCHAR,
    presentation VARCHAR,
    instruction_hash VARCHAR,
    reference_hash VARCHAR,
    text_hash VARCHAR,
    dimensions_hash VARCHAR
);

CREATE TABLE pending.stored (
    call_key VARCHAR NOT NULL,
    status VARCHAR NOT NULL,
    reason VARCHAR,
    value VARCHAR,
    rationale VARCHAR
);

CREATE TABLE pending.open_request AS
SELECT
    cell.call_key,
    cell.benchmark,
    cell.stage,
    cell.model,
    cell.prompt_id,
    cell.prompt_hash,
    cell.repeat,
    cell.sampling,
    cell.presentation,
    cell.instruction_hash,
    cell.reference_hash,
    cell.text_hash,
    cell.dimensions_hash
FROM pending.cell AS cell
WHERE false;

-- Filled by hand in tests of the call functions; a run puts the view of sql/pending.sql here.
CREATE TABLE pending.request (
    call_key VARCHAR NOT NULL,
    model VARCHAR NOT NULL,
    prompt_id VARCHAR NOT NULL,
    repeat INTEGER NOT NULL,
    sampling VARCHAR NOT NULL,
    presentation VARCHAR NOT NULL,
    instruction VARCHAR,
    reference VARCHAR,
    text VARCHAR,
    dimensions VARCHAR
);

CREATE TABLE pending.answer (
    call_key VARCHAR NOT NULL,
    value VARCHAR,
    status VARCHAR NOT NULL,
    reason VARCHAR,
    rationale VARCHAR
);
