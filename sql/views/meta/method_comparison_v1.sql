-- Grain: benchmark, method, criterion, scope, level
-- Answers: Which method agrees best with people, how sure is that, and what does it cost?
-- Formula: Pearson, Spearman and Kendall tau-b with their intervals side by side (HoWToBench Table
--     3): level system = system_correlation_v1, pooled and per_item_mean = sample_correlation_v1;
--     cost of method_cost_v1 beside them. |worst and |best = the single repeat whose Pearson over
--     system means is lowest and highest in scope all, the earlier of equals; of_method names it.
-- Missing: as in the views it reads; cost is NULL where no call of ours stands behind a method.
-- Replaces: none
-- Known issue: none
-- Snapshot: yes
CREATE OR REPLACE VIEW bench.method_comparison_v1 AS
WITH coefficient AS (
    SELECT
        correlation.benchmark,
        correlation.method,
        correlation.criterion,
        correlation.scope,
        'system' AS level,
        correlation.coefficient,
        correlation.value,
        correlation.p,
        correlation.ci_low,
        correlation.ci_high,
        correlation.n
    FROM bench.system_correlation_v1 AS correlation
    UNION ALL
    SELECT
        correlation.benchmark,
        correlation.method,
        correlation.criterion,
        correlation.scope,
        correlation.aggregation AS level,
        correlation.coefficient,
        correlation.value,
        correlation.p,
        correlation.ci_low,
        correlation.ci_high,
        correlation.n
    FROM bench.sample_correlation_v1 AS correlation
),

wide AS (
    SELECT
        coefficient.benchmark,
        coefficient.method,
        coefficient.criterion,
        coefficient.scope,
        coefficient.level,
        max(CASE WHEN coefficient.coefficient = 'pearson' THEN coefficient.value END) AS pearson,
        max(CASE WHEN coefficient.coefficient = 'pearson' THEN coefficient.p END) AS pearson_p,
        max(CASE WHEN coefficient.coefficient = 'pearson' THEN coefficient.ci_low END)
            AS pearson_low,
        max(CASE WHEN coefficient.coefficient = 'pearson' THEN coefficient.ci_high END)
            AS pearson_high,
        max(CASE WHEN coefficient.coefficient = 'spearman' THEN coefficient.value END) AS spearman,
        max(CASE WHEN coefficient.coefficient = 'spearman' THEN coefficient.p END) AS spearman_p,
        max(CASE WHEN coefficient.coefficient = 'spearman' THEN coefficient.ci_low END)
            AS spearman_low,
        max(CASE WHEN coefficient.coefficient = 'spearman' THEN coefficient.ci_high END)
            AS spearman_high,
        max(CASE WHEN coefficient.coefficient = 'kendall' THEN coefficient.value END) AS kendall,
        max(CASE WHEN coefficient.coefficient = 'kendall' THEN coefficient.p END) AS kendall_p,
        max(CASE WHEN coefficient.coefficient = 'kendall' THEN coefficient.ci_low END)
            AS kendall_low,
        max(CASE WHEN coefficient.coefficient = 'kendall' THEN coefficient.ci_high END)
            AS kendall_high,
        max(coefficient.n) AS n
    FROM coefficient
    GROUP BY
        coefficient.benchmark,
        coefficient.method,
        coefficient.criterion,
        coefficient.scope,
        coefficient.level
),

single AS (
    SELECT
        wide.benchmark,
        wide.criterion,
        wide.method,
        split_part(wide.method, '|repeat:', 1) AS of_repeats,
        CAST(split_part(wide.method, '|repeat:', 2) AS INTEGER) AS repeat,
        round(wide.pearson, 12) AS pearson
    FROM wide
    WHERE
        wide.level = 'system'
        AND wide.scope = 'all'
        AND wide.method LIKE 'tree|%|repeat:%'
        AND wide.pearson IS NOT NULL
),

placed AS (
    SELECT
        single.benchmark,
        single.criterion,
        single.method,
        single.of_repeats,
        row_number() OVER (
            PARTITION BY single.benchmark, single.criterion, single.of_repeats
            ORDER BY single.pearson ASC, single.repeat ASC
        ) AS place_from_worst,
        row_number() OVER (
            PARTITION BY single.benchmark, single.criterion, single.of_repeats
            ORDER BY single.pearson DESC, single.repeat ASC
        ) AS place_from_best
    FROM single
),

name AS (
    SELECT
        wide.benchmark,
        wide.criterion,
        wide.method,
        wide.method AS of_method
    FROM wide
    GROUP BY wide.benchmark, wide.criterion, wide.method
    UNION ALL
    SELECT
        placed.benchmark,
        placed.criterion,
        concat(placed.of_repeats, '|worst') AS method,
        placed.method AS of_method
    FROM placed
    WHERE placed.place_from_worst = 1
    UNION ALL
    SELECT
        placed.benchmark,
        placed.criterion,
        concat(placed.of_repeats, '|best') AS method,
        placed.method AS of_method
    FROM placed
    WHERE placed.place_from_best = 1
)

SELECT
    wide.benchmark,
    name.method,
    wide.criterion,
    wide.scope,
    wide.level,
    name.of_method,
    wide.pearson,
    wide.pearson_p,
    wide.pearson_low,
    wide.pearson_high,
    wide.spearman,
    wide.spearman_p,
    wide.spearman_low,
    wide.spearman_high,
    wide.kendall,
    wide.kendall_p,
    wide.kendall_low,
    wide.kendall_high,
    wide.n,
    method_cost.cost,
    coalesce(method_cost.n_call, 0) AS n_call,
    coalesce(method_cost.n_cost_unknown, 0) AS n_cost_unknown
FROM wide
INNER JOIN name
    ON
        name.benchmark = wide.benchmark
        AND name.criterion = wide.criterion
        AND name.of_method = wide.method
LEFT JOIN bench.method_cost_v1 AS method_cost
    ON
        method_cost.benchmark = wide.benchmark
        AND method_cost.method = wide.method
        AND method_cost.scope = wide.scope;

COMMENT ON VIEW bench.method_comparison_v1 IS
'Methods side by side: agreement with people at system and sample level, and cost.';
COMMENT ON COLUMN bench.method_comparison_v1.of_method IS
'The method that |worst and |best stand for, else the method itself.';
