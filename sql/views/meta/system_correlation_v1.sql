-- Grain: benchmark, method, criterion, scope, coefficient
-- Answers: Does a method order the systems as people do, and how sure is that?
-- Formula: system_coefficient_v1 with the interval of system_interval_v1, percentiles over
--     resampled items (HoWToBench Table 3 and 8).
-- Missing: value and p are NULL below three systems or where one side is constant; the interval
--     counts the n_resample resamples that have a value.
-- Replaces: none
-- Known issue: none
-- Snapshot: yes
CREATE OR REPLACE VIEW bench.system_correlation_v1 AS
SELECT
    coefficient.benchmark,
    coefficient.method,
    coefficient.criterion,
    coefficient.scope,
    coefficient.coefficient,
    coefficient.value,
    coefficient.p,
    system_interval.ci_low,
    system_interval.ci_high,
    coefficient.n,
    coefficient.n_writing,
    system_interval.n_resample
FROM bench.system_coefficient_v1 AS coefficient
LEFT JOIN bench.system_interval_v1 AS system_interval
    ON
        system_interval.benchmark = coefficient.benchmark
        AND system_interval.method = coefficient.method
        AND system_interval.criterion = coefficient.criterion
        AND system_interval.scope = coefficient.scope
        AND system_interval.coefficient = coefficient.coefficient;

COMMENT ON VIEW bench.system_correlation_v1 IS
'Correlation of a method with people over system means, with p and bootstrap interval.';
