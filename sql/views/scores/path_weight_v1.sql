-- Grain: benchmark, item_id, tree, node, descendant
-- Answers: Which weight has a descendant in the score of a node, for an item?
-- Formula: product of the edge weights along the path from node to descendant, 1 for the node
--     itself; any depth (SPEC 4).
-- Missing: NULL when an edge on the path has no weight, but 0 when another edge on it is 0: what
--     weighs nothing need not be known. is_open marks an inner descendant whose children have no
--     weights, is_root_path a path that starts at the root.
-- Replaces: none
-- Known issue: none
CREATE OR REPLACE VIEW bench.path_weight_v1 AS
WITH RECURSIVE item_node AS (
    SELECT
        item.benchmark,
        item.item_id,
        task_node.tree,
        task_node.node,
        task_node.parent,
        task_node.leaf,
        task_node.low,
        task_node.high
    FROM corpus.item AS item
    INNER JOIN bench.task_node_v1 AS task_node
        ON
            task_node.benchmark = item.benchmark
            AND task_node.task = item.task
            AND task_node.genre = item.genre
    WHERE item.status = 'accepted'
),

edge AS (
    SELECT
        edge_weight.benchmark,
        edge_weight.item_id,
        edge_weight.tree,
        edge_weight.node,
        edge_weight.parent,
        edge_weight.weight
    FROM bench.edge_weight_v1 AS edge_weight
),

open_node AS (
    SELECT DISTINCT
        edge.benchmark,
        edge.item_id,
        edge.tree,
        edge.parent
    FROM edge
    WHERE edge.weight IS NULL
),

path AS (
    SELECT
        item_node.benchmark,
        item_node.item_id,
        item_node.tree,
        item_node.node,
        item_node.node AS descendant,
        item_node.parent IS NULL AS is_root_path,
        CAST(1 AS DOUBLE) AS weight
    FROM item_node
    UNION ALL
    SELECT
        path.benchmark,
        path.item_id,
        path.tree,
        path.node,
        edge.node AS descendant,
        path.is_root_path,
        CASE
            WHEN path.weight = CAST(0 AS DOUBLE) OR edge.weight = CAST(0 AS DOUBLE)
                THEN CAST(0 AS DOUBLE)
            ELSE path.weight * edge.weight
        END AS weight
    FROM path
    INNER JOIN edge
        ON
            edge.benchmark = path.benchmark
            AND edge.item_id = path.item_id
            AND edge.tree = path.tree
            AND edge.parent = path.descendant
)

SELECT
    path.benchmark,
    path.item_id,
    path.tree,
    path.node,
    path.descendant,
    path.weight,
    path.is_root_path,
    descendant.leaf IS NOT NULL AS is_leaf,
    open_node.parent IS NOT NULL AS is_open,
    descendant.low,
    descendant.high
FROM path
INNER JOIN item_node AS descendant
    ON
        descendant.benchmark = path.benchmark
        AND descendant.item_id = path.item_id
        AND descendant.tree = path.tree
        AND descendant.node = path.descendant
LEFT JOIN open_node
    ON
        open_node.benchmark = path.benchmark
        AND open_node.item_id = path.item_id
        AND open_node.tree = path.tree
        AND open_node.parent = path.descendant;

COMMENT ON VIEW bench.path_weight_v1 IS
'Weight of every descendant in the score of a node, for every item and asked tree.';
