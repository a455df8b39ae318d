-- Aggregate over resamples: upper end of the 95 % percentile interval of a statistic (Efron 1979),
-- by linear interpolation. Undefined resamples do not count.
CREATE OR REPLACE MACRO bootstrap_high_v1(v) AS
quantile_cont(CAST(v AS DOUBLE), CAST(0.975 AS DOUBLE)) FILTER (
    WHERE isfinite(CAST(v AS DOUBLE))
);
