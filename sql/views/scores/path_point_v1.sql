-- Grain: benchmark, item_key, node_key, leaf_key
-- Answers: Which weight has a leaf in the score of a node above it, in numbers instead of names?
-- Formula: path_weight_v1 from inner nodes to leaves; is_root marks paths from the root.
-- Missing: NULL where path_weight_v1 is.
-- Replaces: none
-- Known issue: none
CREATE OR REPLACE VIEW bench.path_point_v1 AS
SELECT
    path.benchmark,
    item.item_key,
    node.node_key,
    leaf.node_key AS leaf_key,
    path.is_root_path AS is_root,
    path.weight
FROM bench.path_weight_v1 AS path
INNER JOIN bench.item_number_v1 AS item
    ON item.benchmark = path.benchmark AND item.item_id = path.item_id
INNER JOIN bench.node_number_v1 AS node
    ON
        node.benchmark = path.benchmark
        AND node.tree = path.tree
        AND node.node = path.node
INNER JOIN bench.node_number_v1 AS leaf
    ON
        leaf.benchmark = path.benchmark
        AND leaf.tree = path.tree
        AND leaf.node = path.descendant
WHERE path.is_leaf AND path.node <> path.descendant;

COMMENT ON VIEW bench.path_point_v1 IS
'Weight of every leaf in the score of the nodes above it, over numbers.';
