-- Grain: benchmark, method, criterion, scope, coefficient
-- Answers: Does a method order the systems as people do, apart from chance in the items?
-- Formula: scores of the method and of people averaged over the writings of an item, then over the
--     items of the scope; Pearson, Spearman and Kendall tau-b over the systems with two-sided p
--     (HoWToBench Table 3 and 8).
-- Missing: value and p are NULL below three systems or where one side is constant; n counts the
--     systems, n_writing the complete pairs they rest on. The control is no system.
-- Replaces: none
-- Known issue: none
CREATE OR REPLACE VIEW bench.system_coefficient_v1 AS
WITH item_pair AS (
    SELECT
        pair.benchmark,
        pair.method,
        pair.criterion,
        pair.item_id,
        pair.system,
        avg(pair.method_score) AS method_score,
        avg(pair.human_score) AS human_score,
        count(*) AS n_writing
    FROM bench.method_pair_v1 AS pair
    GROUP BY pair.benchmark, pair.method, pair.criterion, pair.item_id, pair.system
),

system_mean AS (
    SELECT
        item_pair.benchmark,
        item_pair.method,
        item_pair.criterion,
        item_scope.scope,
        item_pair.system,
        avg(item_pair.method_score) AS x,
        avg(item_pair.human_score) AS y,
        sum(item_pair.n_writing) AS n_writing
    FROM item_pair
    INNER JOIN corpus.item_scope AS item_scope
        ON
            item_scope.benchmark = item_pair.benchmark
            AND item_scope.item_id = item_pair.item_id
    GROUP BY
        item_pair.benchmark,
        item_pair.method,
        item_pair.criterion,
        item_scope.scope,
        item_pair.system
),

-- Rounded, so that equal means summed in another order stay ties.
series AS (
    SELECT
        system_mean.benchmark,
        system_mean.method,
        system_mean.criterion,
        system_mean.scope,
        system_mean.n_writing,
        system_mean.x,
        system_mean.y,
        round(system_mean.x, 12) AS x_order,
        round(system_mean.y, 12) AS y_order,
        dense_rank() OVER (
            ORDER BY
                system_mean.benchmark,
                system_mean.method,
                system_mean.criterion,
                system_mean.scope
        ) AS series_key
    FROM system_mean
),

ranked AS (
    SELECT
        series.benchmark,
        series.method,
        series.criterion,
        series.scope,
        series.n_writing,
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

coefficient AS (
    SELECT
        ranked.benchmark,
        ranked.method,
        ranked.criterion,
        ranked.scope,
        count(*) AS n,
        CAST(sum(ranked.n_writing) AS BIGINT) AS n_writing,
        pearson_r_v1(ranked.x, ranked.y) AS pearson,
        pearson_r_v1(ranked.x_rank, ranked.y_rank) AS spearman,
        kendall_tau_b_v1(ranked.discordant, ranked.x_tie, ranked.y_tie, ranked.xy_tie) AS kendall,
        kendall_p_v1(ranked.discordant, ranked.x_tie, ranked.y_tie, ranked.xy_tie) AS kendall_p
    FROM ranked
    GROUP BY ranked.benchmark, ranked.method, ranked.criterion, ranked.scope
),

named AS (
    SELECT
        coefficient.benchmark,
        coefficient.method,
        coefficient.criterion,
        coefficient.scope,
        name.coefficient,
        CASE
            WHEN name.coefficient = 'pearson' THEN coefficient.pearson
            WHEN name.coefficient = 'spearman' THEN coefficient.spearman
            ELSE coefficient.kendall
        END AS value,
        coefficient.kendall_p,
        coefficient.n,
        coefficient.n_writing
    FROM coefficient
    CROSS JOIN (VALUES ('pearson'), ('spearman'), ('kendall')) AS name (coefficient)
)

SELECT
    named.benchmark,
    named.method,
    named.criterion,
    named.scope,
    named.coefficient,
    named.value,
    CASE
        WHEN named.coefficient = 'kendall' THEN named.kendall_p
        ELSE correlation_p_v1(named.value, named.n - 2)
    END AS p,
    named.n,
    named.n_writing
FROM named;

COMMENT ON VIEW bench.system_coefficient_v1 IS
'Correlation of a method with people over system means, with p.';
