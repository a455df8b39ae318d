-- Grain: benchmark, writing_id, metric, reference_mode
-- Answers: Which metric values does the last run of a benchmark ask for, and on which inputs?
-- Formula: writings of accepted items x asked metrics x asked reference modes but none; input_hash
--     over language, reference and text, metric_version names tokens and formula; known_status is
--     that of the row of judge.metric_score on the same input and version.
-- Missing: blocked names why there is nothing to measure (no_text, no_reference); withdrawn and not
--     imported writings have no cell; known_status is NULL where no such row is.
-- Replaces: none
-- Known issue: none
CREATE OR REPLACE VIEW bench.metric_cell_v1 AS
WITH paired AS (
    SELECT
        writing.benchmark,
        writing.writing_id,
        metric.name AS metric,
        mode.name AS reference_mode,
        writing.item_id,
        writing.system,
        writing.perturbation,
        writing.status AS writing_status,
        CASE WHEN item.lang = 'zh' THEN 'zh' ELSE 'en' END AS lang,
        metric.sampling,
        writing.text_hash,
        CASE
            WHEN mode.name = 'human' AND item.reference <> '' THEN item.reference_hash
            WHEN model_text.status IN ('ok', 'damaged') THEN model_text.text_hash
        END AS reference_hash
    FROM corpus.writing AS writing
    INNER JOIN corpus.item AS item
        ON item.benchmark = writing.benchmark AND item.item_id = writing.item_id
    INNER JOIN run.asked AS metric
        ON metric.benchmark = writing.benchmark AND metric.kind = 'metric'
    INNER JOIN run.asked AS mode
        ON
            mode.benchmark = writing.benchmark
            AND mode.kind = 'reference_mode'
            AND mode.name <> 'none'
    LEFT JOIN corpus.writing AS model_text
        ON
            mode.name = concat('system:', model_text.system)
            AND model_text.benchmark = writing.benchmark
            AND model_text.item_id = writing.item_id
            AND model_text.sample = 0
            AND model_text.perturbation IS NULL
    WHERE
        item.status = 'accepted'
        AND writing.status NOT IN ('withdrawn', 'not_imported')
),

cell AS (
    SELECT
        paired.benchmark,
        paired.writing_id,
        paired.metric,
        paired.reference_mode,
        paired.item_id,
        paired.system,
        paired.perturbation,
        paired.lang,
        paired.sampling,
        paired.reference_hash,
        paired.text_hash,
        CASE
            WHEN paired.writing_status = 'no_text' THEN 'no_text'
            WHEN paired.reference_hash IS NULL THEN 'no_reference'
        END AS blocked,
        input_hash_v1(paired.lang, paired.reference_hash, paired.text_hash) AS input_hash,
        CASE
            WHEN paired.metric LIKE 'similarity:%' THEN 'cosine_v1'
            WHEN paired.metric LIKE 'learned:%' THEN 'regression_v1'
            ELSE 'overlap_v1'
        END AS metric_version
    FROM paired
)

SELECT
    cell.benchmark,
    cell.writing_id,
    cell.metric,
    cell.reference_mode,
    cell.item_id,
    cell.system,
    cell.perturbation,
    cell.lang,
    cell.sampling,
    cell.reference_hash,
    cell.text_hash,
    cell.blocked,
    cell.input_hash,
    cell.metric_version,
    CAST(known.status AS VARCHAR) AS known_status
FROM cell
LEFT JOIN judge.metric_score AS known
    ON
        known.benchmark = cell.benchmark
        AND known.writing_id = cell.writing_id
        AND known.metric = cell.metric
        AND known.reference_mode = cell.reference_mode
        AND known.input_hash = cell.input_hash
        AND known.metric_version = cell.metric_version;

COMMENT ON VIEW bench.metric_cell_v1 IS
'Metric values that the last run of a benchmark asks for, with the hashes of their inputs.';
