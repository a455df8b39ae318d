-- Aggregate: Cohen's kappa with weights |a - b| (Cohen 1968) over the complete pairs of numeric
-- ratings. The distances are those of the values, so categories that nobody gave keep their place
-- on the scale. NULL without a pair and where both always give the same one value.
CREATE OR REPLACE MACRO cohen_kappa_linear_v1(a, b) AS
    list_transform(
        [
            struct_pack(
                n := CAST(pair_count_v1(a, b) AS DOUBLE),
                apart := sum(abs(CAST(a AS DOUBLE) - CAST(b AS DOUBLE)))
                    FILTER (WHERE is_pair_v1(a, b)),
                of_a := map_entries(
                    histogram(CAST(a AS DOUBLE)) FILTER (WHERE is_pair_v1(a, b))
                ),
                of_b := map_entries(
                    histogram(CAST(b AS DOUBLE)) FILTER (WHERE is_pair_v1(a, b))
                )
            )
        ],
        lambda given_: list_transform(
            [
                list_sum(
                    list_transform(
                        given_.of_a,
                        lambda left_entry_: list_sum(
                            list_transform(
                                given_.of_b,
                                lambda right_entry_:
                                    CAST(left_entry_.value AS DOUBLE) * right_entry_.value
                                    * abs(left_entry_.key - right_entry_.key)
                            )
                        )
                    )
                )
            ],
            lambda chance_: CASE WHEN chance_ > 0 THEN 1 - given_.apart * given_.n / chance_ END
        )[1]
    )[1];
