-- Grain: benchmark, task, genre, tree, node
-- Answers: What does each asked tree look like for each task and genre of a benchmark?
-- Formula: the nodes that hold for task and genre and lead to a leaf that does; n_leaf = leaves
--     under the node (itself for a leaf); low and high = ends of its scale, for a leaf the mapped
--     ends of the raw scale, else the lowest and highest end under it.
-- Missing: a branch without a leaf for task and genre has no row.
-- Replaces: none
-- Known issue: a map in steps that rise and fall again may leave the scale of its ends.
CREATE OR REPLACE VIEW bench.task_node_v1 AS
WITH RECURSIVE kind AS (
    SELECT DISTINCT
        item.benchmark,
        item.task,
        item.genre
    FROM corpus.item AS item
),

asked_node AS (
    SELECT
        asked.benchmark,
        kind.task,
        kind.genre,
        tree_node.tree,
        tree_node.node,
        tree_node.parent,
        tree_node.position,
        tree_node.leaf,
        tree_node.weight_rule,
        tree_node.weight,
        tree_node.map,
        tree_node.map_args
    FROM run.asked AS asked
    INNER JOIN judge.tree_node AS tree_node ON tree_node.tree = asked.name
    INNER JOIN kind ON kind.benchmark = asked.benchmark
    WHERE
        asked.kind = 'tree'
        AND (tree_node.tasks IS NULL OR list_contains(tree_node.tasks, kind.task))
        AND (tree_node.genres IS NULL OR list_contains(tree_node.genres, kind.genre))
),

-- Every node with itself and all that hangs under it.
descent AS (
    SELECT
        asked_node.benchmark,
        asked_node.task,
        asked_node.genre,
        asked_node.tree,
        asked_node.node,
        asked_node.node AS descendant
    FROM asked_node
    UNION ALL
    SELECT
        descent.benchmark,
        descent.task,
        descent.genre,
        descent.tree,
        descent.node,
        child.node AS descendant
    FROM descent
    INNER JOIN asked_node AS child
        ON
            child.benchmark = descent.benchmark
            AND child.task = descent.task
            AND child.genre = descent.genre
            AND child.tree = descent.tree
            AND child.parent = descent.descendant
),

scaled_leaf AS (
    SELECT
        asked_node.benchmark,
        asked_node.task,
        asked_node.genre,
        asked_node.tree,
        asked_node.node,
        map_score_v1(leaf.low, asked_node.map, asked_node.map_args) AS first_end,
        map_score_v1(leaf.high, asked_node.map, asked_node.map_args) AS second_end
    FROM asked_node
    INNER JOIN judge.leaf AS leaf ON leaf.leaf = asked_node.leaf
),

spread AS (
    SELECT
        descent.benchmark,
        descent.task,
        descent.genre,
        descent.tree,
        descent.node,
        count(*) AS n_leaf,
        min(least(scaled_leaf.first_end, scaled_leaf.second_end)) AS low,
        max(greatest(scaled_leaf.first_end, scaled_leaf.second_end)) AS high
    FROM descent
    INNER JOIN scaled_leaf
        ON
            scaled_leaf.benchmark = descent.benchmark
            AND scaled_leaf.task = descent.task
            AND scaled_leaf.genre = descent.genre
            AND scaled_leaf.tree = descent.tree
            AND scaled_leaf.node = descent.descendant
    GROUP BY descent.benchmark, descent.task, descent.genre, descent.tree, descent.node
)

SELECT
    asked_node.benchmark,
    asked_node.task,
    asked_node.genre,
    asked_node.tree,
    asked_node.node,
    asked_node.parent,
    asked_node.position,
    asked_node.leaf,
    asked_node.weight_rule,
    asked_node.weight,
    asked_node.map,
    asked_node.map_args,
    spread.n_leaf,
    spread.low,
    spread.high
FROM asked_node
INNER JOIN spread
    ON
        spread.benchmark = asked_node.benchmark
        AND spread.task = asked_node.task
        AND spread.genre = asked_node.genre
        AND spread.tree = asked_node.tree
        AND spread.node = asked_node.node;

COMMENT ON VIEW bench.task_node_v1 IS
'Nodes of every asked tree as they hold for a task and genre.';
