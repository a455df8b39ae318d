-- Grain: benchmark, system, tree, judge, reference_mode, scope
-- Answers: How good would a system be if all systems wrote texts of the same length?
-- Formula: scores averaged over the writings of an item, as leaderboard_v1, regressed on the
--     natural logarithm of the text's characters (as judged) with one effect per system and one
--     slope for all; adjusted = mean score - slope x (mean log length of the system - that of all
--     texts), with its 95 % t interval; p tests a slope of zero. rank by adjusted, rank_as_scored
--     by score; ties share the smaller rank.
-- Missing: an item without a scored, non-empty text does not count; n_used does, n_expected =
--     accepted items of the scope. Adjusted and interval are NULL where no system's lengths differ
--     or fewer than one degree of freedom is left. Below 0.95 coverage there is no rank. No
--     control, no perturbed writing.
-- Replaces: none
-- Known issue: a slope within systems takes good systems to lengthen their good texts as they would
--     their bad ones.
-- Snapshot: yes
CREATE OR REPLACE VIEW bench.leaderboard_length_controlled_v1 AS
-- Rounded, so that equal scores and lengths summed in another order stay equal.
WITH item_score AS (
    SELECT
        tree_score.benchmark,
        tree_score.item_id,
        tree_score.system,
        tree_score.tree,
        tree_score.judge,
        tree_score.reference_mode,
        round(avg(tree_score.score), 12) AS score,
        round(avg(ln(CAST(length(writing.judged_text) AS DOUBLE))), 12) AS log_length
    FROM bench.tree_score_v1 AS tree_score
    INNER JOIN corpus.writing AS writing
        ON
            writing.benchmark = tree_score.benchmark
            AND writing.writing_id = tree_score.writing_id
    WHERE
        tree_score.score IS NOT NULL
        AND tree_score.perturbation IS NULL
        AND tree_score.system <> 'reference'
        AND length(writing.judged_text) > 0
    GROUP BY
        tree_score.benchmark,
        tree_score.item_id,
        tree_score.system,
        tree_score.tree,
        tree_score.judge,
        tree_score.reference_mode
),

expected AS (
    SELECT
        item_scope.benchmark,
        item_scope.scope,
        count(*) AS n_expected
    FROM corpus.item_scope AS item_scope
    INNER JOIN corpus.item AS item
        ON item.benchmark = item_scope.benchmark AND item.item_id = item_scope.item_id
    WHERE item.status = 'accepted'
    GROUP BY item_scope.benchmark, item_scope.scope
),

system_sum AS (
    SELECT
        item_score.benchmark,
        item_score.system,
        item_score.tree,
        item_score.judge,
        item_score.reference_mode,
        item_scope.scope,
        avg(item_score.score) AS score,
        avg(item_score.log_length) AS log_length,
        regr_sxx(item_score.score, item_score.log_length) AS sxx,
        regr_sxy(item_score.score, item_score.log_length) AS sxy,
        regr_syy(item_score.score, item_score.log_length) AS syy,
        CAST(count(*) AS DOUBLE) AS n_used
    FROM item_score
    INNER JOIN corpus.item_scope AS item_scope
        ON
            item_scope.benchmark = item_score.benchmark
            AND item_scope.item_id = item_score.item_id
    GROUP BY
        item_score.benchmark,
        item_score.system,
        item_score.tree,
        item_score.judge,
        item_score.reference_mode,
        item_scope.scope
),

pooled AS (
    SELECT
        system_sum.benchmark,
        system_sum.tree,
        system_sum.judge,
        system_sum.reference_mode,
        system_sum.scope,
        sum(system_sum.n_used * system_sum.log_length) / sum(system_sum.n_used) AS log_length,
        nullif(sum(system_sum.sxx), CAST(0 AS DOUBLE)) AS sxx,
        sum(system_sum.sxy) AS sxy,
        sum(system_sum.syy) AS syy,
        CAST(sum(system_sum.n_used) AS BIGINT) - count(*) - 1 AS df
    FROM system_sum
    GROUP BY
        system_sum.benchmark,
        system_sum.tree,
        system_sum.judge,
        system_sum.reference_mode,
        system_sum.scope
),

fit AS (
    SELECT
        pooled.benchmark,
        pooled.tree,
        pooled.judge,
        pooled.reference_mode,
        pooled.scope,
        pooled.log_length,
        pooled.sxx,
        pooled.df,
        pooled.sxy / pooled.sxx AS slope,
        sqrt(
            greatest(pooled.syy - pooled.sxy * pooled.sxy / pooled.sxx, CAST(0 AS DOUBLE))
            / CAST(pooled.df AS DOUBLE)
        ) AS residual
    FROM pooled
    WHERE pooled.df >= 1
),

adjusted AS (
    SELECT
        system_sum.benchmark,
        system_sum.system,
        system_sum.tree,
        system_sum.judge,
        system_sum.reference_mode,
        system_sum.scope,
        system_sum.score,
        exp(system_sum.log_length) AS mean_length,
        system_sum.score - fit.slope * (system_sum.log_length - fit.log_length) AS adjusted,
        t_quantile_975_v1(fit.df) * fit.residual * sqrt(
            1 / system_sum.n_used
            + (system_sum.log_length - fit.log_length) * (system_sum.log_length - fit.log_length)
            / fit.sxx
        ) AS half_width,
        fit.slope,
        fit.residual / sqrt(fit.sxx) AS slope_stderr,
        fit.df,
        CAST(system_sum.n_used AS BIGINT) AS n_used,
        expected.n_expected,
        -- whole numbers, so that exactly 0.95 does not hang on the last bit
        100 * CAST(system_sum.n_used AS BIGINT) >= 95 * expected.n_expected AS is_covered
    FROM system_sum
    INNER JOIN expected
        ON
            expected.benchmark = system_sum.benchmark
            AND expected.scope = system_sum.scope
    LEFT JOIN fit
        ON
            fit.benchmark = system_sum.benchmark
            AND fit.tree = system_sum.tree
            AND fit.judge = system_sum.judge
            AND fit.reference_mode = system_sum.reference_mode
            AND fit.scope = system_sum.scope
)

SELECT
    adjusted.benchmark,
    adjusted.system,
    adjusted.tree,
    adjusted.judge,
    adjusted.reference_mode,
    adjusted.scope,
    adjusted.adjusted,
    adjusted.adjusted - adjusted.half_width AS ci_low,
    adjusted.adjusted + adjusted.half_width AS ci_high,
    adjusted.score,
    adjusted.mean_length,
    adjusted.slope,
    adjusted.slope_stderr,
    t_two_sided_p_v1(
        adjusted.slope / nullif(adjusted.slope_stderr, CAST(0 AS DOUBLE)), adjusted.df
    ) AS p,
    adjusted.n_used,
    adjusted.n_expected,
    -- rounded, so that equal scores summed in another order stay equal
    CASE
        WHEN adjusted.is_covered AND adjusted.adjusted IS NOT NULL
            THEN
                rank() OVER (
                    PARTITION BY
                        adjusted.benchmark,
                        adjusted.tree,
                        adjusted.judge,
                        adjusted.reference_mode,
                        adjusted.scope,
                        adjusted.is_covered
                    ORDER BY round(adjusted.adjusted, 9) DESC
                )
    END AS rank,
    CASE
        WHEN adjusted.is_covered
            THEN
                rank() OVER (
                    PARTITION BY
                        adjusted.benchmark,
                        adjusted.tree,
                        adjusted.judge,
                        adjusted.reference_mode,
                        adjusted.scope,
                        adjusted.is_covered
                    ORDER BY round(adjusted.score, 9) DESC
                )
    END AS rank_as_scored
FROM adjusted;

COMMENT ON VIEW bench.leaderboard_length_controlled_v1 IS
'Mean tree score of every system at equal text length, beside the score as it is.';
COMMENT ON COLUMN bench.leaderboard_length_controlled_v1.mean_length IS
'Geometric mean of the characters of a text.';
COMMENT ON COLUMN bench.leaderboard_length_controlled_v1.slope IS
'Points of score per unit of log length, within systems.';
