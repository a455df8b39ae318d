-- Grain: benchmark, tree, node
-- Answers: Which number stands in for a node of an asked tree?
-- Formula: place of the node among all nodes of the asked trees in the order of their names.
-- Missing: never NULL but for leaf, which inner nodes lack.
-- Replaces: none
-- Known issue: numbers hold within one query only: another tree moves those after it.
CREATE OR REPLACE VIEW bench.node_number_v1 AS
SELECT
    asked.benchmark,
    tree_node.tree,
    tree_node.node,
    tree_node.parent IS NULL AS is_root,
    tree_node.leaf,
    CAST(
        row_number() OVER (ORDER BY asked.benchmark, tree_node.tree, tree_node.node) AS INTEGER
    ) AS node_key
FROM run.asked AS asked
INNER JOIN judge.tree_node AS tree_node ON tree_node.tree = asked.name
WHERE asked.kind = 'tree';

COMMENT ON VIEW bench.node_number_v1 IS 'Numbers of the nodes of the asked trees.';
