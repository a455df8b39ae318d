-- Grain: benchmark, writing_id
-- Answers: Which number stands in for a judged writing where millions of rows are grouped?
-- Formula: place of the writing among all writings of accepted items in the order of their names.
-- Missing: withdrawn and not imported writings have no number.
-- Replaces: none
-- Known issue: numbers hold within one query only: a new writing moves those after it.
CREATE OR REPLACE VIEW bench.writing_number_v1 AS
SELECT
    writing.benchmark,
    writing.writing_id,
    writing.item_id,
    writing.system,
    writing.perturbation,
    item.task,
    item.genre,
    item.item_key,
    CAST(row_number() OVER (ORDER BY writing.benchmark, writing.writing_id) AS INTEGER)
        AS writing_key
FROM corpus.writing AS writing
INNER JOIN bench.item_number_v1 AS item
    ON item.benchmark = writing.benchmark AND item.item_id = writing.item_id
WHERE writing.status NOT IN ('withdrawn', 'not_imported');

COMMENT ON VIEW bench.writing_number_v1 IS 'Numbers of the judged writings and of their items.';
