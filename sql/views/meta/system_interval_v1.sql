-- Grain: benchmark, method, criterion, scope, coefficient
-- Answers: How far does a system correlation move when other items had been drawn?
-- Formula: the resamples of item_draw_v1, the same for every method; system means weighted by how
--     often an item was drawn, then the coefficients of system_coefficient_v1; interval = 2.5 % and
--     97.5 % percentiles.
-- Missing: resamples in which a coefficient is NULL do not count; n_resample says how many did.
-- Replaces: none
-- Known issue: none
CREATE OR REPLACE VIEW bench.system_interval_v1 AS
WITH item_pair AS (
    SELECT
        pair.benchmark,
        pair.method,
        pair.criterion,
        pair.item_id,
        pair.system,
        avg(pair.method_score) AS method_score,
        avg(pair.human_score) AS human_score
    FROM bench.method_pair_v1 AS pair
    GROUP BY pair.benchmark, pair.method, pair.criterion, pair.item_id, pair.system
),

-- A series of scores over items and systems; numbers stand in for names in what follows.
pair_series AS (
    SELECT
        item_pair.benchmark,
        item_pair.method,
        item_pair.criterion,
        item_pair.item_id,
        item_pair.method_score,
        item_pair.human_score,
        dense_rank() OVER (ORDER BY item_pair.benchmark, item_pair.system) AS system_key,
        dense_rank() OVER (ORDER BY item_pair.benchmark, item_pair.method, item_pair.criterion)
            AS pair_key
    FROM item_pair
),

drawn_item AS (
    SELECT
        draw.benchmark,
        draw.item_id,
        draw.resample,
        draw.n_drawn,
        dense_rank() OVER (ORDER BY draw.benchmark, draw.base_scope) AS scope_key,
        draw.base_scope
    FROM bench.item_draw_v1 AS draw
),

system_mean AS (
    SELECT
        drawn_item.scope_key,
        drawn_item.resample,
        pair_series.pair_key,
        pair_series.system_key,
        round(
            sum(drawn_item.n_drawn * pair_series.method_score) / sum(drawn_item.n_drawn), 12
        ) AS x,
        round(
            sum(drawn_item.n_drawn * pair_series.human_score) / sum(drawn_item.n_drawn), 12
        ) AS y
    FROM drawn_item
    INNER JOIN pair_series
        ON
            pair_series.benchmark = drawn_item.benchmark
            AND pair_series.item_id = drawn_item.item_id
    GROUP BY
        drawn_item.scope_key,
        drawn_item.resample,
        pair_series.pair_key,
        pair_series.system_key
),

series AS (
    SELECT
        system_mean.scope_key,
        system_mean.pair_key,
        system_mean.x,
        system_mean.y,
        (system_mean.scope_key * 1000000 + system_mean.pair_key) * 1000 + system_mean.resample
            AS series_key
    FROM system_mean
),

ranked AS (
    SELECT
        series.scope_key,
        series.pair_key,
        series.series_key,
        series.x,
        series.y,
        average_rank_v1(series.x, series.series_key) AS x_rank,
        average_rank_v1(series.y, series.series_key) AS y_rank,
        tie_count_v1(series.x, series.series_key) AS x_tie,
        tie_count_v1(series.y, series.series_key) AS y_tie,
        pair_tie_count_v1(series.x, series.y, series.series_key) AS xy_tie,
        discordant_before_v1(series.x, series.y, series.series_key) AS discordant
    FROM series
),

resampled AS (
    SELECT
        ranked.scope_key,
        ranked.pair_key,
        pearson_r_v1(ranked.x, ranked.y) AS pearson,
        pearson_r_v1(ranked.x_rank, ranked.y_rank) AS spearman,
        kendall_tau_b_v1(ranked.discordant, ranked.x_tie, ranked.y_tie, ranked.xy_tie) AS kendall
    FROM ranked
    GROUP BY ranked.scope_key, ranked.pair_key, ranked.series_key
),

named AS (
    SELECT
        resampled.scope_key,
        resampled.pair_key,
        name.coefficient,
        CASE
            WHEN name.coefficient = 'pearson' THEN resampled.pearson
            WHEN name.coefficient = 'spearman' THEN resampled.spearman
            ELSE resampled.kendall
        END AS value
    FROM resampled
    CROSS JOIN (VALUES ('pearson'), ('spearman'), ('kendall')) AS name (coefficient)
),

interval_of AS (
    SELECT
        named.scope_key,
        named.pair_key,
        named.coefficient,
        bootstrap_low_v1(named.value) AS ci_low,
        bootstrap_high_v1(named.value) AS ci_high,
        count(named.value) AS n_resample
    FROM named
    GROUP BY named.scope_key, named.pair_key, named.coefficient
),

scope_name AS (
    SELECT DISTINCT
        drawn_item.scope_key,
        item.scope
    FROM drawn_item
    INNER JOIN bench.rated_item_v1 AS item
        ON
            item.benchmark = drawn_item.benchmark
            AND item.base_scope = drawn_item.base_scope
),

pair_name AS (
    SELECT DISTINCT
        pair_series.pair_key,
        pair_series.benchmark,
        pair_series.method,
        pair_series.criterion
    FROM pair_series
)

SELECT
    pair_name.benchmark,
    pair_name.method,
    pair_name.criterion,
    scope_name.scope,
    interval_of.coefficient,
    interval_of.ci_low,
    interval_of.ci_high,
    interval_of.n_resample
FROM interval_of
INNER JOIN scope_name ON scope_name.scope_key = interval_of.scope_key
INNER JOIN pair_name ON pair_name.pair_key = interval_of.pair_key;

COMMENT ON VIEW bench.system_interval_v1 IS
'Bootstrap interval over items of every system correlation.';
