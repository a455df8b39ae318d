-- Grain: benchmark, item_id, system, tree, judge, reference_mode
-- Answers: How good is a system's answer to an item by a tree, for a judge or a panel?
-- Formula: node_score_v1 of the root, averaged over the writings that the system has for the item.
-- Missing: no row where no writing has a score. No control, no perturbed writing.
-- Replaces: none
-- Known issue: none
CREATE OR REPLACE VIEW bench.item_score_v1 AS
SELECT
    node_score.benchmark,
    node_score.item_id,
    node_score.system,
    node_score.tree,
    node_score.judge,
    node_score.reference_mode,
    avg(node_score.score) AS score,
    count(*) AS n_writing
FROM bench.node_score_v1 AS node_score
INNER JOIN bench.node_number_v1 AS node
    ON
        node.benchmark = node_score.benchmark
        AND node.tree = node_score.tree
        AND node.node = node_score.node
        AND node.is_root
WHERE
    node_score.score IS NOT NULL
    AND node_score.perturbation IS NULL
    AND node_score.system <> 'reference'
GROUP BY
    node_score.benchmark,
    node_score.item_id,
    node_score.system,
    node_score.tree,
    node_score.judge,
    node_score.reference_mode;

COMMENT ON VIEW bench.item_score_v1 IS
'Tree score of every system for an item, per judge and per panel.';
