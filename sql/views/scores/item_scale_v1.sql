-- Grain: benchmark, item_id, tree
-- Answers: Between which scores would a writing for an item lie if nothing of it were known?
-- Formula: path weight x the end of the scale that the sign of the weight makes worst (scale_low)
--     or best (scale_high), summed over leaves and, where the children of a node have no weights,
--     over that node.
-- Missing: never NULL.
-- Replaces: none
-- Known issue: a negative weight inside a node without weights could leave the node's scale.
CREATE OR REPLACE VIEW bench.item_scale_v1 AS
SELECT
    ending.benchmark,
    ending.item_id,
    ending.tree,
    sum(ending.worst) AS scale_low,
    sum(ending.best) AS scale_high
FROM bench.root_ending_v1 AS ending
GROUP BY ending.benchmark, ending.item_id, ending.tree;

COMMENT ON VIEW bench.item_scale_v1 IS 'Worst and best tree score that an item allows.';
