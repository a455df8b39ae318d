-- Grain: benchmark, writing_id, tree, judge, reference_mode, node
-- Answers: Which score has a node of a tree for a writing, per judge and per panel?
-- Formula: sum over the leaves under the node of path weight x leaf value; a panel averages the
--     scores of its judges, which is named panel:<name> (SPEC 4). Panels are shown when all their
--     judges were asked.
-- Missing: NULL when a leaf of non-zero or unknown weight has no value; a leaf of weight zero need
--     not have one. A panel is NULL when a judge of it lacks the score.
-- Replaces: none
-- Known issue: none
CREATE OR REPLACE VIEW bench.node_score_v1 AS
WITH judge_node AS (
    SELECT
        leaf_value.benchmark,
        leaf_value.writing_id,
        leaf_value.item_id,
        leaf_value.system,
        leaf_value.perturbation,
        leaf_value.tree,
        leaf_value.judge,
        leaf_value.reference_mode,
        path.node,
        sum(
            CASE
                WHEN path.weight <> CAST(0 AS DOUBLE) THEN path.weight * leaf_value.value
                ELSE CAST(0 AS DOUBLE)
            END
        ) AS weighted_sum,
        count(
            CASE
                WHEN
                    path.weight IS NULL
                    OR (path.weight <> CAST(0 AS DOUBLE) AND leaf_value.value IS NULL)
                    THEN 1
            END
        ) AS n_missing,
        count(leaf_value.value) AS n_scored,
        count(*) AS n_leaf
    FROM bench.leaf_value_v1 AS leaf_value
    INNER JOIN bench.path_weight_v1 AS path
        ON
            path.benchmark = leaf_value.benchmark
            AND path.item_id = leaf_value.item_id
            AND path.tree = leaf_value.tree
            AND path.descendant = leaf_value.node
    GROUP BY
        leaf_value.benchmark,
        leaf_value.writing_id,
        leaf_value.item_id,
        leaf_value.system,
        leaf_value.perturbation,
        leaf_value.tree,
        leaf_value.judge,
        leaf_value.reference_mode,
        path.node
),

judge_score AS (
    SELECT
        judge_node.benchmark,
        judge_node.writing_id,
        judge_node.item_id,
        judge_node.system,
        judge_node.perturbation,
        judge_node.tree,
        judge_node.judge,
        judge_node.reference_mode,
        judge_node.node,
        CASE WHEN judge_node.n_missing = 0 THEN judge_node.weighted_sum END AS score,
        judge_node.n_scored,
        judge_node.n_leaf
    FROM judge_node
),

panel_score AS (
    SELECT
        judge_score.benchmark,
        judge_score.writing_id,
        judge_score.item_id,
        judge_score.system,
        judge_score.perturbation,
        judge_score.tree,
        concat('panel:', panel.panel) AS judge,
        judge_score.reference_mode,
        judge_score.node,
        CASE
            WHEN count(judge_score.score) = panel.n_judge THEN avg(judge_score.score)
        END AS score,
        CAST(sum(judge_score.n_scored) AS BIGINT) AS n_scored,
        CAST(sum(judge_score.n_leaf) AS BIGINT) AS n_leaf,
        count(judge_score.score) AS n_judge
    FROM judge_score
    INNER JOIN bench.asked_panel_v1 AS panel
        ON panel.benchmark = judge_score.benchmark AND panel.judge = judge_score.judge
    GROUP BY
        judge_score.benchmark,
        judge_score.writing_id,
        judge_score.item_id,
        judge_score.system,
        judge_score.perturbation,
        judge_score.tree,
        panel.panel,
        judge_score.reference_mode,
        judge_score.node,
        panel.n_judge
)

SELECT
    judge_score.benchmark,
    judge_score.writing_id,
    judge_score.tree,
    judge_score.judge,
    judge_score.reference_mode,
    judge_score.node,
    judge_score.item_id,
    judge_score.system,
    judge_score.perturbation,
    judge_score.score,
    judge_score.n_scored,
    judge_score.n_leaf,
    CAST(CASE WHEN judge_score.score IS NOT NULL THEN 1 ELSE 0 END AS BIGINT) AS n_judge
FROM judge_score
UNION ALL
SELECT
    panel_score.benchmark,
    panel_score.writing_id,
    panel_score.tree,
    panel_score.judge,
    panel_score.reference_mode,
    panel_score.node,
    panel_score.item_id,
    panel_score.system,
    panel_score.perturbation,
    panel_score.score,
    panel_score.n_scored,
    panel_score.n_leaf,
    panel_score.n_judge
FROM panel_score;

COMMENT ON VIEW bench.node_score_v1 IS
'Score of every node of the asked trees for a writing, per judge and per panel.';
