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
WITH system_mean AS (
    SELECT
        item_pair.benchmark,
        item_pair.method,
        item_pair.criterion,
        item_scope.scope,
        item_pair.system,
        avg(item_pair.method_score) AS x,
        avg(item_pair.human_score) AS y,
        sum(item_pair.n_writing) AS n_writing
    FROM bench.item_pair_v1 AS item_pair
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

series AS (
    SELECT
        system_mean.benchmark,
        system_mean.method,
        system_mean.criterion,
        system_mean.scope,
        system_mean.n_writing,
        system_mean.x,
        system_mean.y,
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
        correlation_row_v1(series.x, series.y, series.series_key) AS pair
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
        correlations_v1(ranked.pair) AS known
    FROM ranked
    GROUP BY ranked.benchmark, ranked.method, ranked.criterion, ranked.scope
)

SELECT
    coefficient.benchmark,
    coefficient.method,
    coefficient.criterion,
    coefficient.scope,
    name.coefficient,
    correlation_value_v1(name.coefficient, coefficient.known) AS value,
    correlation_value_p_v1(name.coefficient, coefficient.known) AS p,
    coefficient.n,
    coefficient.n_writing
FROM coefficient
CROSS JOIN (VALUES ('pearson'), ('spearman'), ('kendall')) AS name (coefficient);

COMMENT ON VIEW bench.system_coefficient_v1 IS
'Correlation of a method with people over system means, with p.';
