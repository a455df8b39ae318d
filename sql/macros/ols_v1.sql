-- Aggregate: least squares y = intercept + slope x over the complete pairs as {n, slope,
-- intercept, slope_stderr, intercept_stderr, r, r2}, with standard errors from the residuals (n -
-- 2 degrees of freedom; exactly 0 for a perfect fit). NULL below three pairs and for constant x;
-- for constant y the slope is 0 and r, r2 are NULL. The p of the slope is correlation_p_v1(r, n -
-- 2).
CREATE OR REPLACE MACRO ols_v1(x, y) AS
    list_transform(
        [centred_pair_v1(x, y)],
        lambda pair_: list_transform(
            [
                struct_pack(
                    sxx := list_dot_product(pair_.dx, pair_.dx),
                    slope := CASE
                        WHEN pair_.n >= 3 AND pair_.varies_x
                            THEN
                                list_dot_product(pair_.dx, pair_.dy)
                                / list_dot_product(pair_.dx, pair_.dx)
                    END,
                    r := correlation_of_v1(pair_)
                )
            ],
            lambda fit_: list_transform(
                [
                    CASE
                        WHEN abs(fit_.r) = 1 OR NOT pair_.varies_y THEN CAST(0 AS DOUBLE)
                        ELSE
                            sqrt(
                                list_sum(
                                    list_transform(
                                        list_zip(pair_.dx, pair_.dy),
                                        lambda d_: pow(d_[2] - fit_.slope * d_[1], 2)
                                    )
                                ) / (pair_.n - 2)
                            )
                    END
                ],
                lambda residual_: struct_pack(
                    n := pair_.n,
                    slope := CASE WHEN pair_.varies_y THEN fit_.slope ELSE 0 * fit_.slope END,
                    intercept := CASE
                        WHEN pair_.varies_y THEN pair_.mean_y - fit_.slope * pair_.mean_x
                        ELSE pair_.mean_y + 0 * fit_.slope
                    END,
                    slope_stderr := CASE
                        WHEN fit_.slope IS NOT NULL THEN residual_ / sqrt(fit_.sxx)
                    END,
                    intercept_stderr := CASE
                        WHEN fit_.slope IS NOT NULL
                            THEN
                                residual_ * sqrt(
                                    1 / CAST(pair_.n AS DOUBLE)
                                    + pow(pair_.mean_x / sqrt(fit_.sxx), 2)
                                )
                    END,
                    r := fit_.r,
                    r2 := fit_.r * fit_.r
                )
            )[1]
        )[1]
    )[1];
