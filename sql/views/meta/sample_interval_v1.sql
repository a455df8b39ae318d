-- Grain: benchmark, method, criterion, scope, coefficient
-- Answers: How far would a pooled correlation over writings move if other items had been drawn?
-- Formula: first-order bootstrap over items (infinitesimal jackknife, Efron 1982): a coefficient
--     C / sqrt(A x B) changes with the weight of a writing by dC / sqrt(A x B) - value x (dA / 2A +
--     dB / 2B). Changes are summed within items, whose writings belong together; stderr = root of
--     their sum of squares x m / (m - 1), m items; interval = tanh(atanh(value) +- 1.96 x stderr /
--     (1 - value^2)). Pearson: dC = dx dy, dA = dx^2. Kendall tau-b: A and B count pairs without a
--     tie, C concordant less discordant ones. Spearman: Pearson of the average ranks, which move
--     with the weights as well.
-- Missing: NULL below two items, below three pairs and where one side is constant.
-- Replaces: none
-- Known issue: an approximation of first order, too narrow for a handful of items.
CREATE OR REPLACE VIEW bench.sample_interval_v1 AS
WITH named_point AS (
    SELECT
        pair.benchmark,
        pair.method,
        pair.criterion,
        item_scope.scope,
        item.item_key,
        pair.method_score AS x,
        pair.human_score AS y
    FROM bench.method_pair_v1 AS pair
    INNER JOIN corpus.item_scope AS item_scope
        ON item_scope.benchmark = pair.benchmark AND item_scope.item_id = pair.item_id
    INNER JOIN bench.item_number_v1 AS item
        ON item.benchmark = pair.benchmark AND item.item_id = pair.item_id
),

-- Numbers stand in for names where millions of rows are sorted.
series AS (
    SELECT
        name.benchmark,
        name.method,
        name.criterion,
        name.scope,
        row_number() OVER (
            ORDER BY name.benchmark, name.method, name.criterion, name.scope
        ) AS series_key
    FROM (
        SELECT DISTINCT
            named_point.benchmark,
            named_point.method,
            named_point.criterion,
            named_point.scope
        FROM named_point
    ) AS name
),

point AS (
    SELECT
        series.series_key,
        named_point.item_key,
        named_point.x,
        named_point.y,
        round(named_point.x, 12) AS x_order,
        round(named_point.y, 12) AS y_order
    FROM named_point
    INNER JOIN series
        ON
            series.benchmark = named_point.benchmark
            AND series.method = named_point.method
            AND series.criterion = named_point.criterion
            AND series.scope = named_point.scope
),

counted AS (
    SELECT
        point.series_key,
        point.item_key,
        point.x_order,
        point.y_order,
        point.x - avg(point.x) OVER (PARTITION BY point.series_key) AS dx,
        point.y - avg(point.y) OVER (PARTITION BY point.series_key) AS dy,
        average_rank_v1(point.x_order, point.series_key)
        - CAST(count(*) OVER (PARTITION BY point.series_key) + 1 AS DOUBLE) / 2 AS x_rank,
        average_rank_v1(point.y_order, point.series_key)
        - CAST(count(*) OVER (PARTITION BY point.series_key) + 1 AS DOUBLE) / 2 AS y_rank,
        count(*) OVER (PARTITION BY point.series_key) AS n,
        count(*) OVER (PARTITION BY point.series_key, point.x_order) AS x_tie,
        count(*) OVER (PARTITION BY point.series_key, point.y_order) AS y_tie,
        count(*) OVER (PARTITION BY point.series_key, point.x_order, point.y_order) AS xy_tie,
        discordant_before_v1(point.x_order, point.y_order, point.series_key)
        + discordant_before_v1(-point.x_order, -point.y_order, point.series_key) AS discordant
    FROM point
),

-- Ranks sum to zero: what lies above a value, less what lies below, is what is equal less twice
-- what lies up to it.
moved AS (
    SELECT
        counted.series_key,
        counted.item_key,
        counted.dx,
        counted.dy,
        counted.x_rank,
        counted.y_rank,
        counted.n,
        counted.x_tie,
        counted.y_tie,
        counted.n - counted.x_tie - counted.y_tie + counted.xy_tie - 2 * counted.discordant AS s,
        sum(counted.y_rank) OVER (PARTITION BY counted.series_key, counted.x_order)
        - 2 * sum(counted.y_rank) OVER (
            PARTITION BY counted.series_key ORDER BY counted.x_order
        ) AS y_above_x,
        sum(counted.x_rank) OVER (PARTITION BY counted.series_key, counted.y_order)
        - 2 * sum(counted.x_rank) OVER (
            PARTITION BY counted.series_key ORDER BY counted.y_order
        ) AS x_above_y,
        counted.x_rank * counted.x_tie
        - 2 * sum(counted.x_rank) OVER (
            PARTITION BY counted.series_key ORDER BY counted.x_order
        ) AS x_above_x,
        counted.y_rank * counted.y_tie
        - 2 * sum(counted.y_rank) OVER (
            PARTITION BY counted.series_key ORDER BY counted.y_order
        ) AS y_above_y
    FROM counted
),

-- How the parts of each coefficient change with the weight of the item.
item_sum AS (
    SELECT
        moved.series_key,
        moved.item_key,
        sum(moved.dx * moved.dy) AS pearson_c,
        sum(CASE WHEN moved.x_tie < moved.n THEN moved.dx * moved.dx END) AS pearson_a,
        sum(CASE WHEN moved.y_tie < moved.n THEN moved.dy * moved.dy END) AS pearson_b,
        sum(moved.x_rank * moved.y_rank + (moved.y_above_x + moved.x_above_y) / 2) AS spearman_c,
        sum(moved.x_rank * moved.x_rank + moved.x_above_x) AS spearman_a,
        sum(moved.y_rank * moved.y_rank + moved.y_above_y) AS spearman_b,
        CAST(sum(2 * moved.s) AS DOUBLE) AS kendall_c,
        CAST(sum(2 * (moved.n - moved.x_tie)) AS DOUBLE) AS kendall_a,
        CAST(sum(2 * (moved.n - moved.y_tie)) AS DOUBLE) AS kendall_b
    FROM moved
    WHERE moved.n >= 3
    GROUP BY moved.series_key, moved.item_key
),

item_change AS (
    SELECT
        item_sum.series_key,
        item_sum.item_key,
        name.coefficient,
        name.degree,
        CASE
            WHEN name.coefficient = 'pearson' THEN item_sum.pearson_c
            WHEN name.coefficient = 'spearman' THEN item_sum.spearman_c
            ELSE item_sum.kendall_c
        END AS c,
        CASE
            WHEN name.coefficient = 'pearson' THEN item_sum.pearson_a
            WHEN name.coefficient = 'spearman' THEN item_sum.spearman_a
            ELSE item_sum.kendall_a
        END AS a,
        CASE
            WHEN name.coefficient = 'pearson' THEN item_sum.pearson_b
            WHEN name.coefficient = 'spearman' THEN item_sum.spearman_b
            ELSE item_sum.kendall_b
        END AS b
    FROM item_sum
    CROSS JOIN (
        VALUES ('pearson', 1), ('kendall', 2), ('spearman', 3)
    ) AS name (coefficient, degree)
),

-- Parts hold as many weights as their degree says: their changes sum to that many times them.
whole AS (
    SELECT
        item_change.series_key,
        item_change.coefficient,
        sum(item_change.c) / max(item_change.degree) AS c,
        nullif(sum(item_change.a), CAST(0 AS DOUBLE)) / max(item_change.degree) AS a,
        nullif(sum(item_change.b), CAST(0 AS DOUBLE)) / max(item_change.degree) AS b
    FROM item_change
    GROUP BY item_change.series_key, item_change.coefficient
),

weighed AS (
    SELECT
        whole.series_key,
        whole.coefficient,
        whole.c / sqrt(whole.a) / sqrt(whole.b) AS value,
        item_change.c / sqrt(whole.a) / sqrt(whole.b)
        - whole.c / sqrt(whole.a) / sqrt(whole.b)
        * (item_change.a / whole.a + item_change.b / whole.b) / 2 AS change
    FROM item_change
    INNER JOIN whole
        ON
            whole.series_key = item_change.series_key
            AND whole.coefficient = item_change.coefficient
),

-- Within twelve digits of 1 there is nothing to move, and atanh has no value.
spread AS (
    SELECT
        weighed.series_key,
        weighed.coefficient,
        round(max(weighed.value), 12) AS value,
        sqrt(
            sum(weighed.change * weighed.change) * CAST(count(*) AS DOUBLE)
            / nullif(CAST(count(*) - 1 AS DOUBLE), CAST(0 AS DOUBLE))
        ) AS stderr,
        count(*) AS n_item
    FROM weighed
    GROUP BY weighed.series_key, weighed.coefficient
),

z AS (
    SELECT
        spread.series_key,
        spread.coefficient,
        spread.value,
        spread.stderr,
        spread.n_item,
        CASE
            WHEN abs(spread.value) < CAST(1 AS DOUBLE)
                THEN ln((1 + spread.value) / (1 - spread.value)) / 2
        END AS centre,
        CASE
            WHEN abs(spread.value) < CAST(1 AS DOUBLE)
                THEN
                    CAST(1.9599639845400542 AS DOUBLE) * spread.stderr
                    / (1 - spread.value * spread.value)
        END AS half_width
    FROM spread
)

SELECT
    series.benchmark,
    series.method,
    series.criterion,
    series.scope,
    z.coefficient,
    z.stderr,
    CASE
        WHEN abs(z.value) >= CAST(1 AS DOUBLE) AND z.stderr IS NOT NULL THEN z.value
        ELSE tanh(z.centre - z.half_width)
    END AS ci_low,
    CASE
        WHEN abs(z.value) >= CAST(1 AS DOUBLE) AND z.stderr IS NOT NULL THEN z.value
        ELSE tanh(z.centre + z.half_width)
    END AS ci_high,
    z.n_item
FROM z
INNER JOIN series ON series.series_key = z.series_key;

COMMENT ON VIEW bench.sample_interval_v1 IS
'Interval over items of every pooled correlation over writings.';
