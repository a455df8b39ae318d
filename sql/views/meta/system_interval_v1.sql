-- Grain: benchmark, method, criterion, scope, coefficient
-- Answers: How far does a system correlation move when other items had been drawn?
-- Formula: the resamples of item_draw_v1, the same for every method; system means weighted by how
--     often an item was drawn, then the coefficients of system_coefficient_v1; interval = 2.5 % and
--     97.5 % percentiles.
-- Missing: resamples in which a coefficient is NULL do not count; n_resample says how many did.
-- Replaces: none
-- Known issue: none
CREATE OR REPLACE VIEW bench.system_interval_v1 AS
-- Numbers stand in for names where millions of resampled series are made.
WITH pair_series AS (
    SELECT
        item_pair.benchmark,
        item_pair.method,
        item_pair.criterion,
        item_pair.item_id,
        item_pair.system,
        item_pair.method_score,
        item_pair.human_score,
        dense_rank() OVER (ORDER BY item_pair.benchmark, item_pair.method, item_pair.criterion)
            AS pair_key
    FROM bench.item_pair_v1 AS item_pair
),

base_item AS (
    SELECT
        item.benchmark,
        item.item_id,
        item.base_scope,
        item.position
    FROM bench.rated_item_v1 AS item
    WHERE item.scope = item.base_scope
),

pair_system AS (
    SELECT DISTINCT
        pair_series.benchmark,
        pair_series.pair_key,
        pair_series.system
    FROM pair_series
),

-- Scores of a system over all items of a scope, in their order, 0 and not present without a pair.
scope_vector AS (
    SELECT
        pair_system.benchmark,
        pair_system.pair_key,
        pair_system.system,
        base_item.base_scope,
        vector_v1(coalesce(pair_series.method_score, 0), base_item.position) AS xs,
        vector_v1(coalesce(pair_series.human_score, 0), base_item.position) AS ys,
        vector_v1(
            CASE WHEN pair_series.item_id IS NULL THEN 0 ELSE 1 END, base_item.position
        ) AS present
    FROM pair_system
    INNER JOIN base_item ON base_item.benchmark = pair_system.benchmark
    LEFT JOIN pair_series
        ON
            pair_series.pair_key = pair_system.pair_key
            AND pair_series.system = pair_system.system
            AND pair_series.item_id = base_item.item_id
    GROUP BY
        pair_system.benchmark,
        pair_system.pair_key,
        pair_system.system,
        base_item.base_scope
),

system_mean AS (
    SELECT
        scope_vector.pair_key,
        scope_vector.base_scope,
        draw.resample,
        scope_vector.system,
        round(resampled_mean_v1(scope_vector.xs, scope_vector.present, draw.counts), 12) AS x,
        round(resampled_mean_v1(scope_vector.ys, scope_vector.present, draw.counts), 12) AS y
    FROM scope_vector
    INNER JOIN bench.item_draw_v1 AS draw
        ON
            draw.benchmark = scope_vector.benchmark
            AND draw.pool = 'rated'
            AND draw.base_scope = scope_vector.base_scope
),

resampled AS (
    SELECT
        system_mean.pair_key,
        system_mean.base_scope,
        list_correlations_v1(
            vector_v1(system_mean.x, system_mean.system),
            vector_v1(system_mean.y, system_mean.system)
        ) AS known
    FROM system_mean
    GROUP BY system_mean.pair_key, system_mean.base_scope, system_mean.resample
),

named AS (
    SELECT
        resampled.pair_key,
        resampled.base_scope,
        name.coefficient,
        correlation_value_v1(name.coefficient, resampled.known) AS value
    FROM resampled
    CROSS JOIN (VALUES ('pearson'), ('spearman'), ('kendall')) AS name (coefficient)
),

interval_of AS (
    SELECT
        named.pair_key,
        named.base_scope,
        named.coefficient,
        bootstrap_low_v1(named.value) AS ci_low,
        bootstrap_high_v1(named.value) AS ci_high,
        count(named.value) AS n_resample
    FROM named
    GROUP BY named.pair_key, named.base_scope, named.coefficient
),

scope_name AS (
    SELECT DISTINCT
        item.benchmark,
        item.scope,
        item.base_scope
    FROM bench.rated_item_v1 AS item
),

-- A scope in which no pair lies has no coefficient either.
pair_name AS (
    SELECT DISTINCT
        pair_series.pair_key,
        pair_series.benchmark,
        pair_series.method,
        pair_series.criterion,
        item_scope.scope
    FROM pair_series
    INNER JOIN corpus.item_scope AS item_scope
        ON
            item_scope.benchmark = pair_series.benchmark
            AND item_scope.item_id = pair_series.item_id
)

SELECT
    pair_name.benchmark,
    pair_name.method,
    pair_name.criterion,
    pair_name.scope,
    interval_of.coefficient,
    interval_of.ci_low,
    interval_of.ci_high,
    interval_of.n_resample
FROM pair_name
INNER JOIN scope_name
    ON scope_name.benchmark = pair_name.benchmark AND scope_name.scope = pair_name.scope
INNER JOIN interval_of
    ON
        interval_of.pair_key = pair_name.pair_key
        AND interval_of.base_scope = scope_name.base_scope;

COMMENT ON VIEW bench.system_interval_v1 IS
'Bootstrap interval over items of every system correlation.';
