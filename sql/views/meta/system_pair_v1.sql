-- Grain: benchmark, tree, judge, reference_mode, scope, system_a, system_b
-- Answers: By how much do two systems differ, and how far would other items move that?
-- Formula: mean over the items that both have a score for of score a - score b; the same over the
--     resamples of item_draw_v1 (Efron 1979): interval = 2.5 % and 97.5 % percentiles, stderr =
--     standard deviation x sqrt(n / (n - 1)).
-- Missing: no row for systems without a common item; interval and stderr are NULL below two items.
--     Resamples that draw no common item do not count in n_resample.
-- Replaces: none
-- Known issue: none
CREATE OR REPLACE VIEW bench.system_pair_v1 AS
WITH item_score AS (
    SELECT
        item_score.benchmark,
        item_score.item_id,
        item_score.system,
        item_score.tree,
        item_score.judge,
        item_score.reference_mode,
        item_score.score
    FROM bench.item_score_v1 AS item_score
),

pair_item AS (
    SELECT
        one.benchmark,
        one.tree,
        one.judge,
        one.reference_mode,
        one.system AS system_a,
        other.system AS system_b,
        one.item_id,
        one.score - other.score AS difference
    FROM item_score AS one
    INNER JOIN item_score AS other
        ON
            other.benchmark = one.benchmark
            AND other.item_id = one.item_id
            AND other.tree = one.tree
            AND other.judge = one.judge
            AND other.reference_mode = one.reference_mode
            AND other.system > one.system
),

pair_series AS (
    SELECT
        pair_item.benchmark,
        pair_item.tree,
        pair_item.judge,
        pair_item.reference_mode,
        pair_item.system_a,
        pair_item.system_b,
        pair_item.item_id,
        pair_item.difference,
        dense_rank() OVER (
            ORDER BY
                pair_item.benchmark,
                pair_item.tree,
                pair_item.judge,
                pair_item.reference_mode,
                pair_item.system_a,
                pair_item.system_b
        ) AS pair_key
    FROM pair_item
),

pair_name AS (
    SELECT DISTINCT
        pair_series.benchmark,
        pair_series.tree,
        pair_series.judge,
        pair_series.reference_mode,
        pair_series.system_a,
        pair_series.system_b,
        pair_series.pair_key
    FROM pair_series
),

-- Differences over all items of a scope, in their order, 0 and not present without both scores.
scope_vector AS (
    SELECT
        base_item.benchmark,
        base_item.base_scope,
        pair_name.pair_key,
        vector_v1(coalesce(pair_series.difference, 0), base_item.position) AS differences,
        vector_v1(
            CASE WHEN pair_series.difference IS NULL THEN 0 ELSE 1 END, base_item.position
        ) AS present,
        avg(pair_series.difference) AS difference,
        count(pair_series.difference) AS n
    FROM pair_name
    INNER JOIN bench.scope_item_v1 AS base_item
        ON
            base_item.benchmark = pair_name.benchmark
            AND base_item.pool = 'accepted'
            AND base_item.scope = base_item.base_scope
    LEFT JOIN pair_series
        ON
            pair_series.pair_key = pair_name.pair_key
            AND pair_series.item_id = base_item.item_id
    GROUP BY base_item.benchmark, base_item.base_scope, pair_name.pair_key
    HAVING count(pair_series.difference) > 0
),

resampled AS (
    SELECT
        scope_vector.pair_key,
        scope_vector.base_scope,
        scope_vector.difference,
        scope_vector.n,
        resampled_mean_v1(scope_vector.differences, scope_vector.present, draw.counts) AS redrawn
    FROM scope_vector
    INNER JOIN bench.item_draw_v1 AS draw
        ON
            draw.benchmark = scope_vector.benchmark
            AND draw.pool = 'accepted'
            AND draw.base_scope = scope_vector.base_scope
),

summary AS (
    SELECT
        resampled.pair_key,
        resampled.base_scope,
        resampled.difference,
        resampled.n,
        bootstrap_low_v1(resampled.redrawn) AS ci_low,
        bootstrap_high_v1(resampled.redrawn) AS ci_high,
        stddev_samp(resampled.redrawn) AS redrawn_sd,
        count(resampled.redrawn) AS n_resample
    FROM resampled
    GROUP BY
        resampled.pair_key,
        resampled.base_scope,
        resampled.difference,
        resampled.n
),

scope_name AS (
    SELECT DISTINCT
        item.benchmark,
        item.scope,
        item.base_scope
    FROM bench.scope_item_v1 AS item
    WHERE item.pool = 'accepted'
)

SELECT
    pair_name.benchmark,
    pair_name.tree,
    pair_name.judge,
    pair_name.reference_mode,
    scope_name.scope,
    pair_name.system_a,
    pair_name.system_b,
    summary.difference,
    CASE WHEN summary.n >= 2 THEN summary.ci_low END AS ci_low,
    CASE WHEN summary.n >= 2 THEN summary.ci_high END AS ci_high,
    CASE
        WHEN summary.n >= 2
            THEN
                summary.redrawn_sd
                * sqrt(CAST(summary.n AS DOUBLE) / CAST(summary.n - 1 AS DOUBLE))
    END AS stderr,
    summary.n,
    summary.n_resample
FROM summary
INNER JOIN pair_name ON pair_name.pair_key = summary.pair_key
INNER JOIN scope_name
    ON
        scope_name.benchmark = pair_name.benchmark
        AND scope_name.base_scope = summary.base_scope;

COMMENT ON VIEW bench.system_pair_v1 IS
'Difference of two systems over common items, with its bootstrap over items.';
