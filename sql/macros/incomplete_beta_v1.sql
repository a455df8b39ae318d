-- Regularised incomplete beta function I_x(a, b) for a, b > 0 and y = 1 - x, which the caller
-- gives so that small tails keep their digits (Abramowitz and Stegun 26.5.1, 26.5.8); from the
-- other side, 1 - I_y(b, a), where the fraction would be slow. NULL where undefined.
CREATE OR REPLACE MACRO incomplete_beta_v1(x, y, a, b) AS
    list_transform(
        [
            struct_pack(
                x := CAST(x AS DOUBLE),
                y := CAST(y AS DOUBLE),
                a := CAST(a AS DOUBLE),
                b := CAST(b AS DOUBLE)
            )
        ],
        lambda given_: CASE
            WHEN NOT coalesce(isfinite(given_.x + given_.y + given_.a + given_.b), false) THEN NULL
            WHEN least(given_.a, given_.b) <= 0 OR least(given_.x, given_.y) < 0 THEN NULL
            WHEN given_.x = 0 THEN CAST(0 AS DOUBLE)
            WHEN given_.y = 0 THEN CAST(1 AS DOUBLE)
            ELSE
                list_transform(
                    [
                        CASE
                            WHEN given_.x < (given_.a + 1) / (given_.a + given_.b + 2)
                                THEN
                                    struct_pack(
                                        x := given_.x,
                                        y := given_.y,
                                        a := given_.a,
                                        b := given_.b,
                                        start := CAST(0 AS DOUBLE)
                                    )
                            ELSE
                                struct_pack(
                                    x := given_.y,
                                    y := given_.x,
                                    a := given_.b,
                                    b := given_.a,
                                    start := CAST(1 AS DOUBLE)
                                )
                        END
                    ],
                    lambda side_: abs(
                        side_.start
                        - beta_front_v1(side_.x, side_.y, side_.a, side_.b) / side_.a
                        * beta_fraction_v1(side_.x, side_.a, side_.b)
                    )
                )[1]
        END
    )[1];
