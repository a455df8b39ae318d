-- Grain: benchmark, writing_id, tree, judge, reference_mode
-- Answers: How good is a writing by a tree, for a judge or a panel?
-- Formula: node_score_v1 of the root, beside those of its children content, format and impression
--     (HoWToBench 3.2).
-- Missing: score is NULL when the root lacks a leaf it needs; content, format, impression are NULL
--     where the tree or the task has no such node.
-- Replaces: none
-- Known issue: none
-- Snapshot: yes
CREATE OR REPLACE VIEW bench.tree_score_v1 AS
WITH top_node AS (
    SELECT DISTINCT
        task_node.benchmark,
        task_node.tree,
        task_node.node,
        task_node.parent IS NULL AS is_root
    FROM bench.task_node_v1 AS task_node
    WHERE
        task_node.parent IS NULL
        OR task_node.node IN ('content', 'format', 'impression')
)

SELECT
    node_score.benchmark,
    node_score.writing_id,
    node_score.system,
    node_score.tree,
    node_score.judge,
    node_score.reference_mode,
    node_score.item_id,
    node_score.perturbation,
    max(CASE WHEN top_node.node = 'content' THEN node_score.score END) AS content,
    max(CASE WHEN top_node.node = 'format' THEN node_score.score END) AS format,
    max(CASE WHEN top_node.node = 'impression' THEN node_score.score END) AS impression,
    max(CASE WHEN top_node.is_root THEN node_score.score END) AS score,
    max(CASE WHEN top_node.is_root THEN node_score.n_scored END) AS n_scored,
    max(CASE WHEN top_node.is_root THEN node_score.n_leaf END) AS n_leaf,
    max(CASE WHEN top_node.is_root THEN node_score.n_judge END) AS n_judge
FROM bench.node_score_v1 AS node_score
INNER JOIN top_node
    ON
        top_node.benchmark = node_score.benchmark
        AND top_node.tree = node_score.tree
        AND top_node.node = node_score.node
GROUP BY
    node_score.benchmark,
    node_score.writing_id,
    node_score.system,
    node_score.tree,
    node_score.judge,
    node_score.reference_mode,
    node_score.item_id,
    node_score.perturbation;

COMMENT ON VIEW bench.tree_score_v1 IS 'Tree score of every writing, per judge and per panel.';
