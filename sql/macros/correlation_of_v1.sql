-- Pearson correlation of a centred pair (centred_pair_v1). Near +-1 from the distance of the two
-- directions, 1 - |u - v|^2 / 2, which keeps the digits that the quotient of sums loses; closer to
-- +-1 than 1e-15 is +-1. NULL below three pairs and for constant input.
CREATE OR REPLACE MACRO correlation_of_v1(pair) AS
    list_transform(
        [pair],
        lambda given_: list_transform(
            [
                CASE
                    WHEN given_.n >= 3 AND given_.varies_x AND given_.varies_y
                        THEN
                            struct_pack(
                                r :=
                                    list_dot_product(given_.dx, given_.dy)
                                    / sqrt(list_dot_product(given_.dx, given_.dx))
                                    / sqrt(list_dot_product(given_.dy, given_.dy)),
                                length_x := sqrt(list_dot_product(given_.dx, given_.dx)),
                                length_y := sqrt(list_dot_product(given_.dy, given_.dy))
                            )
                END
            ],
            lambda raw_: list_transform(
                [
                    CASE
                        WHEN NOT isfinite(raw_.r) THEN NULL
                        WHEN abs(raw_.r) < 1 - CAST(1e-10 AS DOUBLE) THEN raw_.r
                        ELSE
                            sign(raw_.r) * (
                                1 - list_sum(
                                    list_transform(
                                        list_zip(given_.dx, given_.dy),
                                        lambda d_: pow(
                                            d_[1] / raw_.length_x
                                            - sign(raw_.r) * d_[2] / raw_.length_y,
                                            2
                                        )
                                    )
                                ) / 2
                            )
                    END
                ],
                lambda r_: CASE
                    WHEN abs(r_) > 1 - CAST(1e-15 AS DOUBLE) THEN CAST(sign(r_) AS DOUBLE)
                    ELSE r_
                END
            )[1]
        )[1]
    )[1];
