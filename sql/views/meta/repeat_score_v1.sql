-- Grain: benchmark, writing_id, tree, judge, reference_mode, run
-- Answers: Which tree score does one repeat of a judge give, and which the first n together?
-- Formula: as tree_score_v1, over the leaf scores of one repeat (run repeat:k) or of the repeats 0
--     to n - 1 averaged leaf by leaf (run sc:n, self-consistency, n from 2 to the repeats asked
--     for), from node_sum_v1. A rule leaf has one score, which serves every run. A panel averages
--     its judges.
-- Missing: no row for a judge that is asked once; score is NULL when a leaf of non-zero or unknown
--     weight has no value in the run, a panel's when a judge of it lacks the score.
-- Replaces: none
-- Known issue: none
CREATE OR REPLACE VIEW bench.repeat_score_v1 AS
WITH judge_score AS (
    SELECT
        node_sum.writing_key,
        node_sum.node_key,
        judging.benchmark,
        judging.judge,
        judging.reference_mode,
        judging.run,
        node_sum.score
    FROM bench.node_sum_v1 AS node_sum
    INNER JOIN bench.judging_number_v1 AS judging
        ON
            judging.judging_key = node_sum.judging_key
            AND judging.run_key = node_sum.run_key
    WHERE node_sum.is_root AND node_sum.run_key > 0
),

panel_score AS (
    SELECT
        judge_score.writing_key,
        judge_score.node_key,
        concat('panel:', panel.panel) AS judge,
        judge_score.reference_mode,
        judge_score.run,
        CASE
            WHEN count(judge_score.score) = panel.n_judge THEN avg(judge_score.score)
        END AS score
    FROM judge_score
    INNER JOIN bench.asked_panel_v1 AS panel
        ON panel.benchmark = judge_score.benchmark AND panel.judge = judge_score.judge
    GROUP BY
        judge_score.writing_key,
        judge_score.node_key,
        panel.panel,
        judge_score.reference_mode,
        judge_score.run,
        panel.n_judge
),

score AS (
    SELECT
        judge_score.writing_key,
        judge_score.node_key,
        judge_score.judge,
        judge_score.reference_mode,
        judge_score.run,
        judge_score.score
    FROM judge_score
    UNION ALL
    SELECT
        panel_score.writing_key,
        panel_score.node_key,
        panel_score.judge,
        panel_score.reference_mode,
        panel_score.run,
        panel_score.score
    FROM panel_score
)

SELECT
    writing.benchmark,
    writing.writing_id,
    node.tree,
    score.judge,
    score.reference_mode,
    score.run,
    writing.item_id,
    writing.system,
    writing.perturbation,
    score.score
FROM score
INNER JOIN bench.writing_number_v1 AS writing ON writing.writing_key = score.writing_key
INNER JOIN bench.node_number_v1 AS node ON node.node_key = score.node_key;

COMMENT ON VIEW bench.repeat_score_v1 IS
'Tree score of every single repeat and of the first n together, per judge and per panel.';
