-- Grain: benchmark, writing_id, tree, node, judge, reference_mode
-- Answers: Which value does a judge give the leaf of a tree for a writing?
-- Formula: leaf_point_v1 over all repeats, with names (SPEC 4). Leaves without reference appear
--     under every asked reference mode, rule leaves under every asked judge as well.
-- Missing: value is NULL when nothing was scored; n_score of n_asked says how much of it rests on
--     what was asked. Withdrawn and not imported writings have no row.
-- Replaces: none
-- Known issue: none
CREATE OR REPLACE VIEW bench.leaf_value_v1 AS
SELECT
    point.benchmark,
    writing.writing_id,
    node.tree,
    node.node,
    judging.judge,
    judging.reference_mode,
    writing.item_id,
    writing.system,
    writing.perturbation,
    node.leaf,
    point.value,
    point.n_score,
    point.n_asked
FROM bench.leaf_point_v1 AS point
INNER JOIN bench.writing_number_v1 AS writing ON writing.writing_key = point.writing_key
INNER JOIN bench.node_number_v1 AS node ON node.node_key = point.leaf_key
INNER JOIN bench.judging_number_v1 AS judging
    ON judging.judging_key = point.judging_key AND judging.run_key = 0
WHERE point.run_key = 0;

COMMENT ON VIEW bench.leaf_value_v1 IS
'Value of every leaf of the asked trees for a writing, per judge and reference mode.';
