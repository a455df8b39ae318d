-- Grain: benchmark, method, criterion, scope, aggregation, coefficient
-- Answers: Does a method order single writings as people do?
-- Formula: Pearson, Spearman and Kendall tau-b over writings: pooled = all pairs of the scope at
--     once; per_item_mean = over the systems of each item, then the mean over items (HoWToBench
--     B.1; the story level of HANNA). Interval: of per_item_mean percentiles over the resamples of
--     item_draw_v1, of pooled sample_interval_v1.
-- Missing: value is NULL below three pairs or where one side is constant; such items are not in
--     per_item_mean. n = pairs (pooled) or items (per_item_mean). A mean over items has no p.
-- Replaces: none
-- Known issue: the p of pooled takes the writings of an item as independent, its interval does not.
-- Snapshot: yes
CREATE OR REPLACE VIEW bench.sample_correlation_v1 AS
WITH pair AS (
    SELECT
        pair.benchmark,
        pair.method,
        pair.criterion,
        pair.item_id,
        pair.method_score,
        pair.human_score
    FROM bench.method_pair_v1 AS pair
),

point AS (
    SELECT
        pair.benchmark,
        pair.method,
        pair.criterion,
        item_scope.scope,
        'pooled' AS aggregation,
        CAST(NULL AS VARCHAR) AS item_id,
        pair.method_score AS x,
        pair.human_score AS y
    FROM pair
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
    FROM pair
),

-- Numbers stand in for names where millions of rows are sorted.
series AS (
    SELECT
        name.benchmark,
        name.method,
        name.criterion,
        name.scope,
        name.aggregation,
        name.item_id,
        row_number() OVER (
            ORDER BY name.benchmark, name.method, name.criterion, name.scope, name.item_id
        ) AS series_key
    FROM (
        SELECT DISTINCT
            point.benchmark,
            point.method,
            point.criterion,
            point.scope,
            point.aggregation,
            point.item_id
        FROM point
    ) AS name
),

ranked AS (
    SELECT
        series.series_key,
        correlation_row_v1(point.x, point.y, series.series_key) AS pair
    FROM point
    INNER JOIN series
        ON
            series.benchmark = point.benchmark
            AND series.method = point.method
            AND series.criterion = point.criterion
            AND coalesce(series.scope, '') = coalesce(point.scope, '')
            AND coalesce(series.item_id, '') = coalesce(point.item_id, '')
),

coefficient AS (
    SELECT
        ranked.series_key,
        count(*) AS n,
        correlations_v1(ranked.pair) AS known
    FROM ranked
    GROUP BY ranked.series_key
),

named AS (
    SELECT
        series.benchmark,
        series.method,
        series.criterion,
        series.scope,
        series.aggregation,
        series.item_id,
        coefficient.n,
        name.coefficient,
        coefficient.known,
        correlation_value_v1(name.coefficient, coefficient.known) AS value
    FROM coefficient
    INNER JOIN series ON series.series_key = coefficient.series_key
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

item_series AS (
    SELECT DISTINCT
        named.benchmark,
        named.method,
        named.criterion,
        named.coefficient
    FROM named
    WHERE named.aggregation = 'per_item_mean' AND named.value IS NOT NULL
),

-- Coefficients of all items of a scope, in their order, 0 and not present where there is none.
item_vector AS (
    SELECT
        item_series.benchmark,
        item_series.method,
        item_series.criterion,
        item_series.coefficient,
        base_item.base_scope,
        vector_v1(coalesce(named.value, 0), base_item.position) AS item_values,
        vector_v1(
            CASE WHEN named.value IS NULL THEN 0 ELSE 1 END, base_item.position
        ) AS present
    FROM item_series
    INNER JOIN bench.rated_item_v1 AS base_item
        ON
            base_item.benchmark = item_series.benchmark
            AND base_item.scope = base_item.base_scope
    LEFT JOIN named
        ON
            named.benchmark = item_series.benchmark
            AND named.method = item_series.method
            AND named.criterion = item_series.criterion
            AND named.coefficient = item_series.coefficient
            AND named.item_id = base_item.item_id
    GROUP BY
        item_series.benchmark,
        item_series.method,
        item_series.criterion,
        item_series.coefficient,
        base_item.base_scope
),

resampled AS (
    SELECT
        item_vector.benchmark,
        item_vector.method,
        item_vector.criterion,
        item_vector.coefficient,
        item_vector.base_scope,
        resampled_mean_v1(item_vector.item_values, item_vector.present, draw.counts) AS value
    FROM item_vector
    INNER JOIN bench.item_draw_v1 AS draw
        ON
            draw.benchmark = item_vector.benchmark
            AND draw.pool = 'rated'
            AND draw.base_scope = item_vector.base_scope
),

interval_of AS (
    SELECT
        resampled.benchmark,
        resampled.method,
        resampled.criterion,
        resampled.coefficient,
        resampled.base_scope,
        bootstrap_low_v1(resampled.value) AS ci_low,
        bootstrap_high_v1(resampled.value) AS ci_high
    FROM resampled
    GROUP BY
        resampled.benchmark,
        resampled.method,
        resampled.criterion,
        resampled.coefficient,
        resampled.base_scope
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
        interval_of.benchmark,
        interval_of.method,
        interval_of.criterion,
        interval_of.coefficient,
        scope_name.scope,
        interval_of.ci_low,
        interval_of.ci_high
    FROM interval_of
    INNER JOIN scope_name
        ON
            scope_name.benchmark = interval_of.benchmark
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
    correlation_value_p_v1(named.coefficient, named.known) AS p,
    pooled_interval.ci_low,
    pooled_interval.ci_high,
    named.n
FROM named
LEFT JOIN bench.sample_interval_v1 AS pooled_interval
    ON
        pooled_interval.benchmark = named.benchmark
        AND pooled_interval.method = named.method
        AND pooled_interval.criterion = named.criterion
        AND pooled_interval.scope = named.scope
        AND pooled_interval.coefficient = named.coefficient
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
