-- The power of two at or below the range from low to high (for a constant, at or below its size;
-- 1 for zero): dividing by it changes no digit.
CREATE OR REPLACE MACRO unit_of_range_v1(low, high) AS
pow(
    CAST(2 AS DOUBLE),
    floor(
        log2(
            CASE
                WHEN low < high THEN high - low
                WHEN high <> 0 THEN abs(high)
                ELSE CAST(1 AS DOUBLE)
            END
        )
    )
);
