-- Aggregate: least squares y = intercept + slope x over the complete pairs as {n, slope,
-- intercept, slope_stderr, intercept_stderr, r, r2}, with standard errors from the residuals (n -
-- 2 degrees of freedom; exactly 0 for a perfect fit). NULL below three pairs and for constant x;
-- for constant y the slope is 0 and r, r2 are NULL. The p of the slope is correlation_p_v1(r, n -
-- 2). Fitted twice: a slope of single precision, whose residuals are known to all digits, then a
-- line through these (iterative refinement, Higham 2002, chapter 20), so that nothing is lost to
-- data far from zero or close to a line.
CREATE OR REPLACE MACRO ols_v1(x, y) AS
    list_transform(
        [centred_pair_v1(x, y)],
        lambda pair_: list_transform(
            [
                CASE
                    WHEN pair_.n >= 3 AND pair_.varies_x
                        THEN
                            CAST(
                                CAST(
                                    list_dot_product(pair_.dx, pair_.dy)
                                    / list_dot_product(pair_.dx, pair_.dx) AS FLOAT
                                ) AS DOUBLE
                            )
                    ELSE CAST(0 AS DOUBLE)
                END
            ],
            lambda rough_: list_transform(
                [
                    list_transform(
                        list_zip(pair_.xs, pair_.ys, pair_.dx, pair_.dy),
                        lambda v_:
                            less_product_v1(v_[4], rough_, v_[3])
                            + rest_of_difference_v1(v_[2], pair_.mean_y) / pair_.unit_y
                            - rough_ * rest_of_difference_v1(v_[1], pair_.mean_x) / pair_.unit_x
                    )
                ],
                lambda rest_: list_transform(
                    [
                        struct_pack(
                            x := list_avg(pair_.dx),
                            y := list_avg(rest_),
                            sxx :=
                                list_dot_product(pair_.dx, pair_.dx)
                                - pair_.n * pow(list_avg(pair_.dx), 2),
                            sxy :=
                                list_dot_product(pair_.dx, rest_)
                                - pair_.n * list_avg(pair_.dx) * list_avg(rest_)
                        )
                    ],
                    lambda fine_: ols_of_v1(
                        pair_,
                        rough_,
                        fine_,
                        list_sum(
                            list_transform(
                                list_zip(pair_.dx, rest_),
                                lambda v_: pow(
                                    v_[2] - fine_.y - fine_.sxy / fine_.sxx * (v_[1] - fine_.x), 2
                                )
                            )
                        )
                    )
                )[1]
            )[1]
        )[1]
    )[1];
