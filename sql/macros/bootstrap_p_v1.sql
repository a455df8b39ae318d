-- Aggregate over resamples of a difference: two-sided p of no difference, twice the rarer side
-- counted with the observed sample (Davison and Hinkley 1997, 4.2), at most 1. NULL without a
-- resample.
CREATE OR REPLACE MACRO bootstrap_p_v1(v) AS
CASE
    WHEN count(*) FILTER (WHERE isfinite(CAST(v AS DOUBLE))) > 0
        THEN
            least(
                CAST(1 AS DOUBLE),
                2 * (
                    1 + CAST(
                        least(
                            count(*) FILTER (WHERE v <= 0 AND isfinite(CAST(v AS DOUBLE))),
                            count(*) FILTER (WHERE v >= 0 AND isfinite(CAST(v AS DOUBLE)))
                        ) AS DOUBLE
                    )
                ) / (1 + count(*) FILTER (WHERE isfinite(CAST(v AS DOUBLE))))
            )
END;
