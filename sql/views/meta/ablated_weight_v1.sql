-- Grain: benchmark, item_id, tree, node, ablation, leaf
-- Answers: Which weight has a leaf when a node is taken out of the tree, or kept alone?
-- Formula: keep = weight of the leaf in the score of the node (the root kept alone is the whole
--     tree). drop = weight from the root without the leaves under the node; its siblings are
--     divided by 1 - its weight, so that they sum to 1 again (HoWToBench Table 5). A node that does
--     not hold for the item takes nothing with it.
-- Missing: drop has no row for leaves under the node; weight is NULL where the node had all the
--     weight of its siblings or an edge has none.
-- Replaces: none
-- Known issue: dropping an only child leaves its parent's weight unused, so the rest sums to less.
CREATE OR REPLACE VIEW bench.ablated_weight_v1 AS
WITH path AS (
    SELECT
        path_weight.benchmark,
        path_weight.item_id,
        path_weight.tree,
        path_weight.node,
        path_weight.descendant AS leaf,
        path_weight.is_root_path,
        path_weight.weight
    FROM bench.path_weight_v1 AS path_weight
    WHERE path_weight.is_leaf
)

SELECT
    path.benchmark,
    path.item_id,
    path.tree,
    path.node,
    'keep' AS ablation,
    path.leaf,
    path.weight
FROM path
UNION ALL
SELECT
    whole.benchmark,
    whole.item_id,
    whole.tree,
    dropped.node,
    'drop' AS ablation,
    whole.leaf,
    CASE
        WHEN beside.leaf IS NULL THEN whole.weight
        WHEN abs(CAST(1 AS DOUBLE) - edge.weight) > CAST(1e-9 AS DOUBLE)
            THEN whole.weight / (CAST(1 AS DOUBLE) - edge.weight)
    END AS weight
FROM path AS whole
INNER JOIN bench.node_number_v1 AS dropped
    ON
        dropped.benchmark = whole.benchmark
        AND dropped.tree = whole.tree
        AND NOT dropped.is_root
LEFT JOIN path AS under
    ON
        under.benchmark = whole.benchmark
        AND under.item_id = whole.item_id
        AND under.tree = whole.tree
        AND under.node = dropped.node
        AND under.leaf = whole.leaf
LEFT JOIN bench.edge_weight_v1 AS edge
    ON
        edge.benchmark = whole.benchmark
        AND edge.item_id = whole.item_id
        AND edge.tree = whole.tree
        AND edge.node = dropped.node
LEFT JOIN path AS beside
    ON
        beside.benchmark = whole.benchmark
        AND beside.item_id = whole.item_id
        AND beside.tree = whole.tree
        AND beside.node = edge.parent
        AND beside.leaf = whole.leaf
WHERE whole.is_root_path AND under.leaf IS NULL;

COMMENT ON VIEW bench.ablated_weight_v1 IS
'Weights of the leaves of a tree without a node, or of the node alone.';
