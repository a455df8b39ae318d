-- Gamma deviate of shape alpha and scale 1 that depends on seed, i and j alone (Marsaglia and Tsang
-- 2000: the first of sixteen tries that is accepted; each is with probability above 0.95). 0 for
-- alpha = 0. Shares of such deviates are Dirichlet.
CREATE OR REPLACE MACRO seeded_gamma_v1(alpha, seed, i, j) AS
    list_transform(
        [
            struct_pack(
                d :=
                    CAST(alpha AS DOUBLE) - CAST(1 AS DOUBLE) / 3
                    + CASE WHEN alpha < 1 THEN 1 ELSE 0 END,
                lift := CASE
                    WHEN alpha < 1
                        THEN
                            pow(
                                seeded_uniform_v1(seed, i, j),
                                1 / nullif(CAST(alpha AS DOUBLE), CAST(0 AS DOUBLE))
                            )
                    ELSE CAST(1 AS DOUBLE)
                END
            )
        ],
        lambda shape_: CASE
            WHEN alpha = 0 THEN CAST(0 AS DOUBLE)
            WHEN alpha > 0
                THEN
                    shape_.lift * shape_.d * list_filter(
                        list_transform(
                            range(1, 17),
                            lambda try_: list_transform(
                                [
                                    sqrt(-2 * ln(seeded_uniform_v1(seed + 3 * try_, i, j)))
                                    * cos(2 * pi() * seeded_uniform_v1(seed + 3 * try_ + 1, i, j))
                                ],
                                lambda z_: struct_pack(
                                    z := z_,
                                    v := pow(1 + z_ / sqrt(9 * shape_.d), 3),
                                    u := seeded_uniform_v1(seed + 3 * try_ + 2, i, j)
                                )
                            )[1]
                        ),
                        lambda tried_: CASE
                            WHEN tried_.v > 0
                                THEN
                                    ln(tried_.u)
                                    < tried_.z * tried_.z / 2
                                    + shape_.d * (1 - tried_.v + ln(tried_.v))
                            ELSE false
                        END
                    )[1].v
        END
    )[1];
