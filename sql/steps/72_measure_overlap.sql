-- Fills: judge.metric_score of BLEU and ROUGE, or why a writing has none
-- Command: score
CREATE OR REPLACE TABLE pending.overlap_cell AS
SELECT
    cell.benchmark,
    cell.writing_id,
    cell.metric,
    cell.reference_mode,
    cell.lang,
    cell.text_hash,
    cell.reference_hash,
    cell.blocked,
    cell.input_hash,
    cell.metric_version
FROM pending.metric_cell AS cell
WHERE cell.metric_version = 'overlap_v1';

-- Two texts are measured once, whatever asks for it; what shares a reference stands together.
CREATE OR REPLACE TABLE pending.overlap_pair AS
SELECT DISTINCT
    cell.lang,
    cell.reference_hash,
    cell.text_hash
FROM pending.overlap_cell AS cell
WHERE cell.blocked IS NULL
ORDER BY cell.reference_hash, cell.text_hash;

CREATE OR REPLACE TABLE pending.overlap AS
SELECT
    called.lang,
    called.reference_hash,
    called.text_hash,
    called.found
FROM (
    SELECT
        pair.lang,
        pair.reference_hash,
        pair.text_hash,
        measure_overlap(pair.lang, body.text, reference.text) AS found
    FROM pending.overlap_pair AS pair
    INNER JOIN pending.metric_text AS body ON body.hash = pair.text_hash
    INNER JOIN pending.metric_text AS reference ON reference.hash = pair.reference_hash
) AS called;

INSERT OR REPLACE INTO judge.metric_score BY NAME
SELECT
    cell.benchmark,
    cell.writing_id,
    cell.metric,
    cell.reference_mode,
    overlap.found.scores[cell.metric] AS score,
    coalesce(cell.blocked, overlap.found.status) AS status,
    overlap.found.reason,
    cell.input_hash,
    cell.metric_version,
    run.run_id
FROM pending.overlap_cell AS cell
LEFT JOIN pending.overlap AS overlap
    ON
        overlap.lang = cell.lang
        AND overlap.reference_hash = cell.reference_hash
        AND overlap.text_hash = cell.text_hash
CROSS JOIN pending.run AS run;
