-- Grain: benchmark, method, criterion, item_id, system
-- Answers: What do a method and people say of a system's writings for an item?
-- Formula: the pairs of method_pair_v1 averaged over the writings of the item.
-- Missing: a system without a complete pair for the item has no row; n_writing counts the pairs.
-- Replaces: none
-- Known issue: none
CREATE OR REPLACE VIEW bench.item_pair_v1 AS
SELECT
    pair.benchmark,
    pair.method,
    pair.criterion,
    pair.item_id,
    pair.system,
    avg(pair.method_score) AS method_score,
    avg(pair.human_score) AS human_score,
    count(*) AS n_writing
FROM bench.method_pair_v1 AS pair
GROUP BY pair.benchmark, pair.method, pair.criterion, pair.item_id, pair.system;

COMMENT ON VIEW bench.item_pair_v1 IS
'Scores of a method and of people, averaged over the writings that a system has for an item.';
