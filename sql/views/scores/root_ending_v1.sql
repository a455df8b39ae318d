-- Grain: benchmark, item_id, tree, node
-- Answers: What do the endings of a tree add to the score of the root at worst and at best?
-- Formula: an ending is a leaf, or an inner node whose children have no weights for the item; its
--     path weight x the end of its scale that the sign of the weight makes worst or best.
-- Missing: leaves under a node whose children have no weights have no row, the node stands for
--     them.
-- Replaces: none
-- Known issue: none
CREATE OR REPLACE VIEW bench.root_ending_v1 AS
SELECT
    path.benchmark,
    path.item_id,
    path.tree,
    path.descendant AS node,
    path.is_leaf,
    path.weight,
    path.weight * CASE WHEN path.weight > CAST(0 AS DOUBLE) THEN path.low ELSE path.high END
        AS worst,
    path.weight * CASE WHEN path.weight > CAST(0 AS DOUBLE) THEN path.high ELSE path.low END
        AS best
FROM bench.path_weight_v1 AS path
WHERE path.is_root_path AND path.weight IS NOT NULL AND (path.is_leaf OR path.is_open);

COMMENT ON VIEW bench.root_ending_v1 IS
'Leaves and unweighted nodes of a tree with what they add to the root at worst and at best.';
