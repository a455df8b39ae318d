-- Grain: benchmark, task, method, pair, writing_id
-- Answers: How long are input and output of a writing, and which score did it get?
-- Formula: lengths in characters, input = instruction + grounding, output = the text as written,
--     empty ones included. pair input_output (method none), input_score, output_score: x is the
--     first of the two, y the second.
-- Missing: y is NULL where a method has no score. No control, no perturbed writing, none that is
--     withdrawn or not imported.
-- Replaces: none
-- Known issue: none
CREATE OR REPLACE VIEW bench.length_pair_v1 AS
WITH writing_length AS (
    SELECT
        writing.benchmark,
        item.task,
        writing.writing_id,
        CAST(length(item.instruction) + length(item.grounding) AS DOUBLE) AS input,
        CAST(length(writing.text) AS DOUBLE) AS output
    FROM corpus.writing AS writing
    INNER JOIN corpus.item AS item
        ON item.benchmark = writing.benchmark AND item.item_id = writing.item_id
    WHERE
        item.status = 'accepted'
        AND writing.status NOT IN ('withdrawn', 'not_imported')
        AND writing.perturbation IS NULL
        AND writing.system <> 'reference'
)

SELECT
    writing_length.benchmark,
    writing_length.task,
    'none' AS method,
    'input_output' AS pair,
    writing_length.writing_id,
    writing_length.input AS x,
    writing_length.output AS y
FROM writing_length
UNION ALL
SELECT
    writing_length.benchmark,
    writing_length.task,
    method_score.method,
    name.pair,
    writing_length.writing_id,
    CASE
        WHEN name.pair = 'input_score' THEN writing_length.input
        ELSE writing_length.output
    END AS x,
    method_score.score AS y
FROM writing_length
INNER JOIN bench.method_score_v1 AS method_score
    ON
        method_score.benchmark = writing_length.benchmark
        AND method_score.writing_id = writing_length.writing_id
CROSS JOIN (VALUES ('input_score'), ('output_score')) AS name (pair);

COMMENT ON VIEW bench.length_pair_v1 IS 'Lengths of input and output beside the scores of methods.';
