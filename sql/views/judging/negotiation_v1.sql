-- Grain: benchmark, task, genre, tree, parent, lang
-- Answers: Which dimensions does a negotiator weigh for an asked tree, in which words?
-- Formula: the negotiated children of a node that hold for task and genre, in tree order, one
--     "name: description" a line.
-- Missing: a tree without negotiated nodes has no row; a dimension without a description stands by
--     its name alone.
-- Replaces: none
-- Known issue: none
CREATE OR REPLACE VIEW bench.negotiation_v1 AS
WITH lang AS (
    SELECT DISTINCT dimension.lang FROM judge.dimension AS dimension
),

dimension_text AS (
    SELECT
        task_node.benchmark,
        task_node.task,
        task_node.genre,
        task_node.tree,
        task_node.parent,
        lang.lang,
        string_agg(
            task_node.node || coalesce(': ' || nullif(dimension.description, ''), ''),
            chr(10)
            ORDER BY tree_node.position
        ) AS dimensions
    FROM bench.task_node_v1 AS task_node
    INNER JOIN judge.tree_node AS tree_node
        ON tree_node.tree = task_node.tree AND tree_node.node = task_node.node
    CROSS JOIN lang
    LEFT JOIN judge.dimension AS dimension
        ON dimension.dimension = task_node.node AND dimension.lang = lang.lang
    WHERE task_node.weight_rule = 'negotiated'
    GROUP BY
        task_node.benchmark,
        task_node.task,
        task_node.genre,
        task_node.tree,
        task_node.parent,
        lang.lang
)

SELECT
    dimension_text.benchmark,
    dimension_text.task,
    dimension_text.genre,
    dimension_text.tree,
    dimension_text.parent,
    dimension_text.lang,
    dimension_text.dimensions,
    sha256(dimension_text.dimensions) AS dimensions_hash
FROM dimension_text;

COMMENT ON VIEW bench.negotiation_v1 IS
'Dimensions of each negotiated node as the negotiator reads them.';
