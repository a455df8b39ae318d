-- Grain: benchmark, method, criterion, scope, aggregation, coefficient
-- Answers: Does a method order single writings as people do?
-- Formula: Pearson, Spearman and Kendall tau-b over writings: pooled = all pairs of the scope at
--     once; per_item_mean = over the systems of each item, then the mean over items (HoWToBench
--     B.1; the story level of HANNA). Interval of per_item_mean: percentiles over the resamples of
--     item_draw_v1.
-- Missing: value is NULL below three pairs or where one side is constant; such items are not in
--     per_item_mean. n = pairs (pooled) or items (per_item_mean). p and interval of the other
--     aggregation are NULL: pooled pairs of an item are not independent, a mean has no one test.
-- Replaces: none
-- Known issue: pooled has p but no interval, per_item_mean an interval but no p.
CREATE OR REPLACE VIEW bench.sample_correlation_v1 AS
WITH point AS (
    SELECT
        pair.benchmark,
        pair.method,
        pair.criterion,
        item_scope.scope,
        'pooled' AS aggregation,
        CAST(NULL AS VARCHAR) AS item_id,
        pair.method_score AS x,
        pair.human_score AS y
    FROM bench.method_pair_v1 AS pair
    INNER JOIN corpus.item_scope AS item_scope
        ON item_scope.benchmark = pair.benchmark AND item_scope.item_id = pair.item_id
    UNION ALL
    SELECT
        pair.benchmark,
        pair.method,
        pair.criterion,
        CAST(NULL AS VARCHAR) AS scope,
        'per_item_mean' AS aggregation,
        pair.item_id,
        pair.method_score AS x,
        pair.human_score AS y
    FROM bench.method_pair_v1 AS pair
),

-- Rounded for ranks, so that equal scores summed in another order stay ties.
series AS (
    SELECT
        point.benchmark,
        point.method,
        point.criterion,
        point.scope,
        point.aggregation,
        point.item_id,
        point.x,
        point.y,
        round(point.x, 12) AS x_order,
        round(point.y, 12) AS y_order,
        dense_rank() OVER (
            ORDER BY point.benchmark, point.method, point.criterion, point.scope, point.item_id
        ) AS series_key
    FROM point
),

ranked AS (
    SELECT
        series.benchmark,
        series.method,
        series.criterion,
        series.scope,
        series.aggregation,
        series.item_id,
        series.x,
        series.y,
        average_rank_v1(series.x_order, series.series_key) AS x_rank,
        average_rank_v1(series.y_order, series.series_key) AS y_rank,
        tie_count_v1(series.x_order, series.series_key) AS x_tie,
        tie_count_v1(series.y_order, series.series_key) AS y_tie,
        pair_tie_count_v1(series.x_order, series.y_order, series.series_key) AS xy_tie,
        discordant_before_v1(series.x_order, series.y_order, series.series_key) AS discordant
    FROM series
),

series_coefficient AS (
    SELECT
        ranked.benchmark,
        ranked.method,
        ranked.criterion,
        ranked.scope,
        ranked.aggregation,
        ranked.item_id,
        count(*) AS n,
        pearson_r_v1(ranked.x, ranked.y) AS pearson,
        pearson_r_v1(ranked.x_rank, ranked.y_rank) AS spearman,
        kendall_tau_b_v1(ranked.discordant, ranked.x_tie, ranked.y_tie, ranked.xy_tie) AS kendall,
        kendall_p_v1(ranked.discordant, ranked.x_tie, ranked.y_tie, ranked.xy_tie) AS kendall_p
    FROM ranked
    GROUP BY
        ranked.benchmark,
        ranked.method,
        ranked.criterion,
        ranked.scope,
        ranked.aggregation,
        ranked.item_id
),

named AS (
    SELECT
        series_coefficient.benchmark,
        series_coefficient.method,
        series_coefficient.criterion,
        series_coefficient.scope,
        series_coefficient.aggregation,
        series_coefficient.item_id,
        series_coefficient.n,
        name.coefficient,
        CASE
            WHEN name.coefficient = 'pearson' THEN series_coefficient.pearson
            WHEN name.coefficient = 'spearman' THEN series_coefficient.spearman
            ELSE series_coefficient.kendall
        END AS value,
        series_coefficient.kendall_p
    FROM series_coefficient
    CROSS JOIN (VALUES ('pearson'), ('spearman'), ('kendall')) AS name (coefficient)
),

item_mean AS (
    SELECT
        named.benchmark,
        named.method,
        named.criterion,
        scoped_item.scope,
        named.coefficient,
        avg(named.value) AS value,
        count(named.value) AS n
    FROM named
    INNER JOIN bench.rated_item_v1 AS scoped_item
        ON scoped_item.benchmark = named.benchmark AND scoped_item.item_id = named.item_id
    GROUP BY
        named.benchmark,
        named.method,
        named.criterion,
        scoped_item.scope,
        named.coefficient
),

-- Numbers stand in for names where millions of rows are grouped.
item_value AS (
    SELECT
        named.benchmark,
        named.method,
        named.criterion,
        named.coefficient,
        named.item_id,
        named.value,
        dense_rank() OVER (
            ORDER BY named.benchmark, named.method, named.criterion, named.coefficient
        ) AS series_key
    FROM named
    WHERE named.aggregation = 'per_item_mean' AND named.value IS NOT NULL
),

resampled AS (
    SELECT
        item_value.series_key,
        draw.base_scope,
        sum(draw.n_drawn * item_value.value) / sum(draw.n_drawn) AS value
    FROM item_value
    INNER JOIN bench.item_draw_v1 AS draw
        ON draw.benchmark = item_value.benchmark AND draw.item_id = item_value.item_id
    GROUP BY item_value.series_key, draw.base_scope, draw.resample
),

interval_of AS (
    SELECT
        resampled.series_key,
        resampled.base_scope,
        bootstrap_low_v1(resampled.value) AS ci_low,
        bootstrap_high_v1(resampled.value) AS ci_high
    FROM resampled
    GROUP BY resampled.series_key, resampled.base_scope
),

series_name AS (
    SELECT DISTINCT
        item_value.benchmark,
        item_value.method,
        item_value.criterion,
        item_value.coefficient,
        item_value.series_key
    FROM item_value
),

scope_name AS (
    SELECT DISTINCT
        item.benchmark,
        item.scope,
        item.base_scope
    FROM bench.rated_item_v1 AS item
),

item_interval AS (
    SELECT
        series_name.benchmark,
        series_name.method,
        series_name.criterion,
        series_name.coefficient,
        scope_name.scope,
        interval_of.ci_low,
        interval_of.ci_high
    FROM interval_of
    INNER JOIN series_name ON series_name.series_key = interval_of.series_key
    INNER JOIN scope_name
        ON
            scope_name.benchmark = series_name.benchmark
            AND scope_name.base_scope = interval_of.base_scope
)

SELECT
    named.benchmark,
    named.method,
    named.criterion,
    named.scope,
    named.aggregation,
    named.coefficient,
    named.value,
    CASE
        WHEN named.coefficient = 'kendall' THEN named.kendall_p
        ELSE correlation_p_v1(named.value, named.n - 2)
    END AS p,
    CAST(NULL AS DOUBLE) AS ci_low,
    CAST(NULL AS DOUBLE) AS ci_high,
    named.n
FROM named
WHERE named.aggregation = 'pooled'
UNION ALL
SELECT
    item_mean.benchmark,
    item_mean.method,
    item_mean.criterion,
    item_mean.scope,
    'per_item_mean' AS aggregation,
    item_mean.coefficient,
    item_mean.value,
    CAST(NULL AS DOUBLE) AS p,
    item_interval.ci_low,
    item_interval.ci_high,
    item_mean.n
FROM item_mean
LEFT JOIN item_interval
    ON
        item_interval.benchmark = item_mean.benchmark
        AND item_interval.method = item_mean.method
        AND item_interval.criterion = item_mean.criterion
        AND item_interval.scope = item_mean.scope
        AND item_interval.coefficient = item_mean.coefficient;

COMMENT ON VIEW bench.sample_correlation_v1 IS
'Correlation of a method with people over writings: pooled, or within items and averaged.';
