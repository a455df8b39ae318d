-- Continued fraction of the incomplete beta function (Abramowitz and Stegun 26.5.8) for x <= (a + 1)
-- / (a + b + 2), evaluated from a level that grows as the root of the smaller of a and b, as the
-- levels it needs do. The terms come first: list_reduce of DuckDB 1.5 errs on a CASE over them.
CREATE OR REPLACE MACRO beta_fraction_v1(x, a, b) AS
    list_transform(
        [struct_pack(x := x, a := a, b := b)],
        lambda given_: 1 / list_reduce(
            list_transform(
                range(80 + CAST(4 * sqrt(least(given_.a, given_.b)) AS BIGINT), 0, -1),
                lambda j_: CASE
                    WHEN j_ % 2 = 0
                        THEN
                            (j_ // 2) * (given_.b - (j_ // 2)) * given_.x
                            / ((given_.a + j_ - 1) * (given_.a + j_))
                    ELSE
                        -(given_.a + (j_ // 2)) * (given_.a + given_.b + (j_ // 2)) * given_.x
                        / ((given_.a + j_ - 1) * (given_.a + j_))
                END
            ),
            lambda tail_, term_: CAST(1 AS DOUBLE) + term_ / tail_,
            CAST(1 AS DOUBLE)
        )
    )[1];
