-- Correlation of x and y with z held constant, from the three correlations (Fisher 1924); +-1 where
-- theirs is. NULL where x or y follows z exactly. Its p is correlation_p_v1(r, n - 3).
CREATE OR REPLACE MACRO partial_correlation_v1(r_xy, r_xz, r_yz) AS
    list_transform(
        [
            struct_pack(
                xy := CAST(r_xy AS DOUBLE), xz := CAST(r_xz AS DOUBLE), yz := CAST(r_yz AS DOUBLE)
            )
        ],
        lambda r_: CASE
            WHEN abs(r_.xz) < 1 AND abs(r_.yz) < 1 AND abs(r_.xy) = 1 THEN r_.xy
            WHEN abs(r_.xz) < 1 AND abs(r_.yz) < 1
                THEN
                    greatest(
                        CAST(-1 AS DOUBLE),
                        least(
                            CAST(1 AS DOUBLE),
                            (r_.xy - r_.xz * r_.yz)
                            / sqrt((1 - r_.xz) * (1 + r_.xz) * (1 - r_.yz) * (1 + r_.yz))
                        )
                    )
        END
    )[1];
