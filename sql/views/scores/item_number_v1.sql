-- Grain: benchmark, item_id
-- Answers: Which number stands in for an accepted item where millions of rows are grouped?
-- Formula: place of the item among all accepted items in the order of their names.
-- Missing: rejected and withdrawn items have no number.
-- Replaces: none
-- Known issue: numbers hold within one query only: a new item moves those after it.
CREATE OR REPLACE VIEW bench.item_number_v1 AS
SELECT
    item.benchmark,
    item.item_id,
    item.task,
    item.genre,
    CAST(row_number() OVER (ORDER BY item.benchmark, item.item_id) AS INTEGER) AS item_key
FROM corpus.item AS item
WHERE item.status = 'accepted';

COMMENT ON VIEW bench.item_number_v1 IS 'Numbers of the accepted items.';
