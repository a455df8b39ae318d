-- Window, second step of Holm's correction: the largest holm_step_v1 up to this p in family g, at
-- most 1. NULL where p is NULL.
CREATE OR REPLACE MACRO holm_adjusted_v1(step, p, g) AS
CASE
    WHEN p IS NOT NULL
        THEN
            least(
                max(step) OVER (PARTITION BY g ORDER BY p ASC NULLS LAST), CAST(1 AS DOUBLE)
            )
END;
