-- Fills: judge.metric_score of a learned metric: a regression checkpoint on text and reference
-- Command: score
CREATE OR REPLACE TABLE pending.learned_cell AS
SELECT
    cell.benchmark,
    cell.writing_id,
    cell.metric,
    cell.reference_mode,
    cell.sampling ->> '$.path' AS path,
    cell.text_hash,
    cell.reference_hash,
    cell.blocked,
    cell.input_hash,
    cell.metric_version
FROM pending.metric_cell AS cell
WHERE cell.metric_version = 'regression_v1';

-- Two texts are measured once, whatever asks for it.
CREATE OR REPLACE TABLE pending.learned_pair AS
SELECT DISTINCT
    cell.path,
    cell.reference_hash,
    cell.text_hash
FROM pending.learned_cell AS cell
WHERE cell.blocked IS NULL
ORDER BY cell.reference_hash, cell.text_hash;

CREATE OR REPLACE TABLE pending.learned AS
SELECT
    called.path,
    called.reference_hash,
    called.text_hash,
    called.found
FROM (
    SELECT
        pair.path,
        pair.reference_hash,
        pair.text_hash,
        measure_learned(pair.path, body.text, reference.text) AS found
    FROM pending.learned_pair AS pair
    INNER JOIN pending.metric_text AS body ON body.hash = pair.text_hash
    INNER JOIN pending.metric_text AS reference ON reference.hash = pair.reference_hash
) AS called;

INSERT OR REPLACE INTO judge.metric_score BY NAME
SELECT
    cell.benchmark,
    cell.writing_id,
    cell.metric,
    cell.reference_mode,
    learned.found.score,
    coalesce(cell.blocked, learned.found.status) AS status,
    learned.found.reason,
    cell.input_hash,
    cell.metric_version,
    run.run_id
FROM pending.learned_cell AS cell
LEFT JOIN pending.learned AS learned
    ON
        learned.path = cell.path
        AND learned.reference_hash = cell.reference_hash
        AND learned.text_hash = cell.text_hash
CROSS JOIN pending.run AS run;
