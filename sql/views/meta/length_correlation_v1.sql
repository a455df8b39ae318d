-- Grain: benchmark, task, method, pair
-- Answers: Do longer inputs give longer outputs, and does a method like either?
-- Formula: Pearson over the pairs of length_pair_v1, systems pooled; two-sided p of Student's t
--     (HoWToBench Table 6).
-- Missing: r and p are NULL below three complete pairs or where one side is constant.
-- Replaces: none
-- Known issue: none
-- Snapshot: yes
CREATE OR REPLACE VIEW bench.length_correlation_v1 AS
WITH coefficient AS (
    SELECT
        pair.benchmark,
        pair.task,
        pair.method,
        pair.pair,
        pearson_r_v1(pair.x, pair.y) AS r,
        pair_count_v1(pair.x, pair.y) AS n
    FROM bench.length_pair_v1 AS pair
    GROUP BY pair.benchmark, pair.task, pair.method, pair.pair
)

SELECT
    coefficient.benchmark,
    coefficient.task,
    coefficient.method,
    coefficient.pair,
    coefficient.r,
    correlation_p_v1(coefficient.r, coefficient.n - 2) AS p,
    coefficient.n
FROM coefficient;

COMMENT ON VIEW bench.length_correlation_v1 IS
'Correlation of input length, output length and scores, per task.';
