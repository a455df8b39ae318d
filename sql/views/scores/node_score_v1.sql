-- Grain: benchmark, writing_id, tree, judge, reference_mode, node
-- Answers: Which score has a node of a tree for a writing, per judge and per panel?
-- Formula: node_sum_v1 (sum over the leaves under the node of path weight x leaf value), for a leaf
--     its value, over all repeats; a panel averages the scores of its judges, which is named
--     panel:<name> (SPEC 4). Panels are shown when all their judges were asked.
-- Missing: NULL when a leaf of non-zero or unknown weight has no value; a leaf of weight zero need
--     not have one. A panel is NULL when a judge of it lacks the score.
-- Replaces: none
-- Known issue: none
-- Snapshot: yes
CREATE OR REPLACE VIEW bench.node_score_v1 AS
WITH judge_score AS (
    SELECT
        node_sum.writing_key,
        node_sum.judging_key,
        node_sum.node_key,
        node_sum.score,
        node_sum.n_scored,
        node_sum.n_leaf
    FROM bench.node_sum_v1 AS node_sum
    WHERE node_sum.run_key = 0
    UNION ALL
    SELECT
        point.writing_key,
        point.judging_key,
        point.leaf_key AS node_key,
        point.value AS score,
        CAST(CASE WHEN point.value IS NOT NULL THEN 1 ELSE 0 END AS BIGINT) AS n_scored,
        CAST(1 AS BIGINT) AS n_leaf
    FROM bench.leaf_point_v1 AS point
    WHERE point.run_key = 0
),

judging AS (
    SELECT
        number.benchmark,
        number.judge,
        number.reference_mode,
        number.judging_key
    FROM bench.judging_number_v1 AS number
    WHERE number.run_key = 0
),

panel_score AS (
    SELECT
        judge_score.writing_key,
        judge_score.node_key,
        concat('panel:', panel.panel) AS judge,
        judging.reference_mode,
        CASE
            WHEN count(judge_score.score) = panel.n_judge THEN avg(judge_score.score)
        END AS score,
        CAST(sum(judge_score.n_scored) AS BIGINT) AS n_scored,
        CAST(sum(judge_score.n_leaf) AS BIGINT) AS n_leaf,
        count(judge_score.score) AS n_judge
    FROM judge_score
    INNER JOIN judging ON judging.judging_key = judge_score.judging_key
    INNER JOIN bench.asked_panel_v1 AS panel
        ON panel.benchmark = judging.benchmark AND panel.judge = judging.judge
    GROUP BY
        judge_score.writing_key,
        judge_score.node_key,
        panel.panel,
        judging.reference_mode,
        panel.n_judge
),

score AS (
    SELECT
        judge_score.writing_key,
        judge_score.node_key,
        judging.judge,
        judging.reference_mode,
        judge_score.score,
        judge_score.n_scored,
        judge_score.n_leaf,
        CAST(CASE WHEN judge_score.score IS NOT NULL THEN 1 ELSE 0 END AS BIGINT) AS n_judge
    FROM judge_score
    INNER JOIN judging ON judging.judging_key = judge_score.judging_key
    UNION ALL
    SELECT
        panel_score.writing_key,
        panel_score.node_key,
        panel_score.judge,
        panel_score.reference_mode,
        panel_score.score,
        panel_score.n_scored,
        panel_score.n_leaf,
        panel_score.n_judge
    FROM panel_score
)

SELECT
    writing.benchmark,
    writing.writing_id,
    node.tree,
    score.judge,
    score.reference_mode,
    node.node,
    writing.item_id,
    writing.system,
    writing.perturbation,
    score.score,
    score.n_scored,
    score.n_leaf,
    score.n_judge
FROM score
INNER JOIN bench.writing_number_v1 AS writing ON writing.writing_key = score.writing_key
INNER JOIN bench.node_number_v1 AS node ON node.node_key = score.node_key;

COMMENT ON VIEW bench.node_score_v1 IS
'Score of every node of the asked trees for a writing, per judge and per panel.';
