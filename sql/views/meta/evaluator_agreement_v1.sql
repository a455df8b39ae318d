-- Grain: benchmark, tree, judge_a, judge_b, reference_mode
-- Answers: Do two judges find the same writings good by a tree?
-- Formula: Pearson of their tree scores over the writings that both scored, with two-sided p; n of
--     them (HoWToBench Figure 4). Scores of imported judges are compared at the root.
-- Missing: r is NULL below three writings or where a judge gives one score to all. No control, no
--     perturbed writing, no panel.
-- Replaces: none
-- Known issue: none
-- Snapshot: yes
CREATE OR REPLACE VIEW bench.evaluator_agreement_v1 AS
WITH root_score AS (
    SELECT
        tree_score.benchmark,
        tree_score.writing_id,
        tree_score.tree,
        tree_score.judge,
        tree_score.reference_mode,
        tree_score.score
    FROM bench.tree_score_v1 AS tree_score
    WHERE
        tree_score.perturbation IS NULL
        AND tree_score.system <> 'reference'
        AND tree_score.judge NOT LIKE 'panel:%'
    UNION ALL
    SELECT
        imported_score.benchmark,
        imported_score.writing_id,
        'imported' AS tree,
        imported_score.judge,
        imported_score.reference_mode,
        imported_score.score
    FROM bench.imported_score_v1 AS imported_score
    WHERE imported_score.node = 'root' AND imported_score.system <> 'reference'
),

coefficient AS (
    SELECT
        one.benchmark,
        one.tree,
        one.judge AS judge_a,
        other.judge AS judge_b,
        one.reference_mode,
        pearson_r_v1(one.score, other.score) AS r,
        pair_count_v1(one.score, other.score) AS n
    FROM root_score AS one
    INNER JOIN root_score AS other
        ON
            other.benchmark = one.benchmark
            AND other.writing_id = one.writing_id
            AND other.tree = one.tree
            AND other.reference_mode = one.reference_mode
            AND other.judge > one.judge
    GROUP BY one.benchmark, one.tree, one.judge, other.judge, one.reference_mode
)

SELECT
    coefficient.benchmark,
    coefficient.tree,
    coefficient.judge_a,
    coefficient.judge_b,
    coefficient.reference_mode,
    coefficient.r,
    correlation_p_v1(coefficient.r, coefficient.n - 2) AS p,
    coefficient.n
FROM coefficient;

COMMENT ON VIEW bench.evaluator_agreement_v1 IS
'Correlation of two judges over writings, per tree.';
