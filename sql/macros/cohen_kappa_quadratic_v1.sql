-- Aggregate: Cohen's kappa with weights (a - b)^2 (Cohen 1968) over the complete pairs of numeric
-- ratings: 1 - mean (a - b)^2 / (var a + var b + (mean a - mean b)^2). Distances are those of the
-- values, as in cohen_kappa_linear_v1. NULL where both always give the same one value.
CREATE OR REPLACE MACRO cohen_kappa_quadratic_v1(a, b) AS
    list_transform(
        [centred_pair_v1(a, b)],
        lambda pair_: list_transform(
            [greatest(pair_.unit_x, pair_.unit_y)],
            lambda unit_: CASE
                WHEN pair_.varies_x OR pair_.varies_y OR pair_.mean_x <> pair_.mean_y
                    THEN
                        1 - list_sum(
                            list_transform(
                                list_zip(pair_.xs, pair_.ys),
                                lambda rating_: pow((rating_[1] - rating_[2]) / unit_, 2)
                            )
                        ) / (
                            list_dot_product(pair_.dx, pair_.dx) * pow(pair_.unit_x / unit_, 2)
                            + list_dot_product(pair_.dy, pair_.dy) * pow(pair_.unit_y / unit_, 2)
                            + pair_.n * pow((pair_.mean_x - pair_.mean_y) / unit_, 2)
                        )
            END
        )[1]
    )[1];
