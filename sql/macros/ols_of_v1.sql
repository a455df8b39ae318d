-- The line of ols_v1 from its two fits: a centred pair, the rough slope in units, the means and
-- sums of the fit to the residuals, and the sum of squares that is left.
CREATE OR REPLACE MACRO ols_of_v1(pair, rough, fine, square_sum) AS
    list_transform(
        [
            struct_pack(
                pair := pair,
                rough := rough,
                fine := fine,
                change := fine.sxy / fine.sxx,
                centre := pair.mean_x / pair.unit_x,
                r := correlation_of_v1(pair),
                is_line := pair.n >= 3 AND pair.varies_x,
                square_sum := square_sum
            )
        ],
        lambda fit_: list_transform(
            [
                CASE
                    WHEN NOT fit_.is_line THEN NULL
                    WHEN abs(fit_.r) = 1 OR NOT fit_.pair.varies_y THEN CAST(0 AS DOUBLE)
                    ELSE fit_.pair.unit_y * sqrt(fit_.square_sum / (fit_.pair.n - 2))
                END
            ],
            lambda residual_: struct_pack(
                n := fit_.pair.n,
                slope := CASE
                    WHEN NOT fit_.is_line THEN NULL
                    WHEN NOT fit_.pair.varies_y THEN CAST(0 AS DOUBLE)
                    ELSE (fit_.rough + fit_.change) * (fit_.pair.unit_y / fit_.pair.unit_x)
                END,
                intercept := CASE
                    WHEN NOT fit_.is_line THEN NULL
                    WHEN NOT fit_.pair.varies_y THEN fit_.pair.mean_y
                    ELSE
                        fit_.pair.unit_y * (
                            less_product_v1(
                                fit_.pair.mean_y / fit_.pair.unit_y, fit_.rough, fit_.centre
                            )
                            - fit_.change * (fit_.centre + fit_.fine.x) + fit_.fine.y
                        )
                END,
                slope_stderr := residual_ / sqrt(fit_.fine.sxx) / fit_.pair.unit_x,
                intercept_stderr :=
                    residual_ * sqrt(
                        1 / CAST(fit_.pair.n AS DOUBLE)
                        + pow(fit_.centre + fit_.fine.x, 2) / fit_.fine.sxx
                    ),
                r := fit_.r,
                r2 := fit_.r * fit_.r
            )
        )[1]
    )[1];
