-- Grain: benchmark, task, method, pair
-- Answers: By how much do output length or score rise with a character of input or output?
-- Formula: least squares of y on x over the pairs of length_pair_v1, systems pooled (HoWToBench
--     Figure 5); p tests a slope of zero.
-- Missing: all are NULL below three complete pairs or where x is constant.
-- Replaces: none
-- Known issue: none
-- Snapshot: yes
CREATE OR REPLACE VIEW bench.length_regression_v1 AS
WITH fit AS (
    SELECT
        pair.benchmark,
        pair.task,
        pair.method,
        pair.pair,
        ols_slope_v1(pair.x, pair.y) AS slope,
        ols_intercept_v1(pair.x, pair.y) AS intercept,
        ols_slope_stderr_v1(pair.x, pair.y) AS slope_stderr,
        ols_intercept_stderr_v1(pair.x, pair.y) AS intercept_stderr,
        ols_r2_v1(pair.x, pair.y) AS r2,
        pearson_r_v1(pair.x, pair.y) AS r,
        pair_count_v1(pair.x, pair.y) AS n
    FROM bench.length_pair_v1 AS pair
    GROUP BY pair.benchmark, pair.task, pair.method, pair.pair
)

SELECT
    fit.benchmark,
    fit.task,
    fit.method,
    fit.pair,
    fit.slope,
    fit.intercept,
    fit.slope_stderr AS stderr,
    fit.intercept_stderr,
    fit.r2,
    correlation_p_v1(fit.r, fit.n - 2) AS p,
    fit.n
FROM fit;

COMMENT ON VIEW bench.length_regression_v1 IS
'Straight line through input length, output length and scores, per task.';
