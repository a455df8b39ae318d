-- Pearson, Spearman and Kendall's tau-b of the complete pairs of two short lists, as a struct; NULL
-- below three pairs and for constant input. The same as pearson_r_v1 and kendall_tau_b_v1 give,
-- without a window: tau-b is the cosine of the signs of all differences, and average ranks are
-- their row sums up to scale (Kendall 1970, 2.4).
CREATE OR REPLACE MACRO list_correlations_v1(xs, ys) AS
    list_transform(
        [
            list_filter(
                list_zip(xs, ys), lambda pair_: pair_[1] IS NOT NULL AND pair_[2] IS NOT NULL
            )
        ],
        lambda pairs_: list_transform(
            [
                struct_pack(
                    xs := list_transform(pairs_, lambda pair_: pair_[1]),
                    ys := list_transform(pairs_, lambda pair_: pair_[2]),
                    x_sign := order_sign_v1(list_transform(pairs_, lambda pair_: pair_[1])),
                    y_sign := order_sign_v1(list_transform(pairs_, lambda pair_: pair_[2]))
                )
            ],
            lambda side_: struct_pack(
                pearson := correlation_of_v1(centred_lists_v1(side_.xs, side_.ys)),
                spearman := correlation_of_v1(
                    centred_lists_v1(
                        list_transform(
                            range(0, len(side_.xs)),
                            lambda i_: list_sum(
                                side_.x_sign[i_ * len(side_.xs) + 1:(i_ + 1) * len(side_.xs)]
                            )
                        ),
                        list_transform(
                            range(0, len(side_.ys)),
                            lambda i_: list_sum(
                                side_.y_sign[i_ * len(side_.ys) + 1:(i_ + 1) * len(side_.ys)]
                            )
                        )
                    )
                ),
                kendall := CASE
                    WHEN len(side_.xs) >= 3
                        THEN
                            list_dot_product(side_.x_sign, side_.y_sign) / nullif(
                                sqrt(
                                    list_dot_product(side_.x_sign, side_.x_sign)
                                    * list_dot_product(side_.y_sign, side_.y_sign)
                                ),
                                CAST(0 AS DOUBLE)
                            )
                END
            )
        )[1]
    )[1];
