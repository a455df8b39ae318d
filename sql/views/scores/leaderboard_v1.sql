-- Grain: benchmark, system, tree, judge, reference_mode, scope
-- Answers: How good is a system by a tree, for a judge or a panel, over the items of a scope?
-- Formula: tree scores averaged over the writings of an item, then mean, sd and 95 % t interval
--     over items; rank by score among ranked systems, ties share the smaller rank (HoWToBench
--     Table 4). score_low and score_high = mean over all expected items of the bounds of
--     score_bounds_v1.
-- Missing: an item without a scored writing is not in score, but in n_expected (accepted items of
--     the scope, whatever was judged) and, with the ends of its scale, in the bounds. Below 0.95
--     coverage (n_used / n_expected) there is no rank. sd and interval are NULL below two items.
-- Replaces: none
-- Known issue: none
-- Snapshot: yes
CREATE OR REPLACE VIEW bench.leaderboard_v1 AS
-- The bounds of a complete writing are its tree score: one pass over the leaves serves all.
WITH writing_score AS (
    SELECT
        bounds.benchmark,
        bounds.item_id,
        bounds.system,
        bounds.tree,
        bounds.judge,
        bounds.reference_mode,
        CASE WHEN bounds.is_complete THEN bounds.score_low END AS score,
        bounds.score_low,
        bounds.score_high,
        bounds.scale_low,
        bounds.scale_high
    FROM bench.score_bounds_v1 AS bounds
    WHERE bounds.perturbation IS NULL
),

item_score AS (
    SELECT
        writing_score.benchmark,
        writing_score.item_id,
        writing_score.system,
        writing_score.tree,
        writing_score.judge,
        writing_score.reference_mode,
        avg(writing_score.score) AS score,
        avg(writing_score.score_low) AS score_low,
        avg(writing_score.score_high) AS score_high,
        max(writing_score.scale_low) AS scale_low,
        max(writing_score.scale_high) AS scale_high,
        count(*) AS n_writing,
        count(writing_score.score) AS n_scored
    FROM writing_score
    GROUP BY
        writing_score.benchmark,
        writing_score.item_id,
        writing_score.system,
        writing_score.tree,
        writing_score.judge,
        writing_score.reference_mode
),

expected AS (
    SELECT
        scale.benchmark,
        item_scope.scope,
        scale.tree,
        count(*) AS n_expected,
        sum(scale.scale_low) AS scale_low,
        sum(scale.scale_high) AS scale_high
    FROM bench.item_scale_v1 AS scale
    INNER JOIN corpus.item_scope AS item_scope
        ON item_scope.benchmark = scale.benchmark AND item_scope.item_id = scale.item_id
    GROUP BY scale.benchmark, item_scope.scope, scale.tree
),

summary AS (
    SELECT
        item_score.benchmark,
        item_score.system,
        item_score.tree,
        item_score.judge,
        item_score.reference_mode,
        item_scope.scope,
        avg(item_score.score) AS score,
        stddev_samp(item_score.score) AS sd,
        count(item_score.score) AS n_used,
        CAST(sum(item_score.n_writing) AS BIGINT) AS n_writing,
        CAST(sum(item_score.n_scored) AS BIGINT) AS n_scored,
        sum(item_score.score_low - item_score.scale_low) AS above_worst,
        sum(item_score.scale_high - item_score.score_high) AS below_best
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

judged AS (
    SELECT
        summary.benchmark,
        summary.system,
        summary.system = 'reference' AS is_control,
        summary.tree,
        summary.judge,
        summary.reference_mode,
        summary.scope,
        summary.score,
        summary.sd,
        summary.n_used,
        expected.n_expected,
        summary.n_writing,
        summary.n_scored,
        CASE
            WHEN summary.n_used >= 2
                THEN
                    t_quantile_975_v1(summary.n_used - 1) * summary.sd
                    / sqrt(CAST(summary.n_used AS DOUBLE))
        END AS half_width,
        (expected.scale_low + summary.above_worst) / CAST(expected.n_expected AS DOUBLE)
            AS score_low,
        (expected.scale_high - summary.below_best) / CAST(expected.n_expected AS DOUBLE)
            AS score_high,
        -- whole numbers, so that exactly 0.95 does not hang on the last bit
        summary.system <> 'reference'
        AND summary.n_used > 0
        AND 100 * summary.n_used >= 95 * expected.n_expected AS is_ranked
    FROM summary
    INNER JOIN expected
        ON
            expected.benchmark = summary.benchmark
            AND expected.scope = summary.scope
            AND expected.tree = summary.tree
)

SELECT
    judged.benchmark,
    judged.system,
    judged.is_control,
    judged.tree,
    judged.judge,
    judged.reference_mode,
    judged.scope,
    judged.score,
    judged.sd,
    judged.n_used,
    judged.n_expected,
    judged.n_writing,
    judged.n_scored,
    judged.score - judged.half_width AS ci_low,
    judged.score + judged.half_width AS ci_high,
    judged.score_low,
    judged.score_high,
    -- rounded, so that equal scores summed in another order stay equal
    CASE
        WHEN judged.is_ranked
            THEN
                rank() OVER (
                    PARTITION BY
                        judged.benchmark,
                        judged.tree,
                        judged.judge,
                        judged.reference_mode,
                        judged.scope,
                        judged.is_ranked
                    ORDER BY round(judged.score, 9) DESC
                )
    END AS rank
FROM judged;

COMMENT ON VIEW bench.leaderboard_v1 IS
'Mean tree score of every system per scope, with interval, bounds, coverage and rank.';
COMMENT ON COLUMN bench.leaderboard_v1.n_used IS 'Items with a scored writing.';
COMMENT ON COLUMN bench.leaderboard_v1.n_writing IS 'Writings of the system in the scope.';
COMMENT ON COLUMN bench.leaderboard_v1.n_scored IS 'Writings that have a score.';
