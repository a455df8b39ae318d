-- Aggregate: Cohen's kappa (1960) of two raters over the complete pairs. NULL without a pair and
-- where both always give the same one value.
CREATE OR REPLACE MACRO cohen_kappa_v1(a, b) AS
    list_transform(
        [
            struct_pack(
                n := CAST(pair_count_v1(a, b) AS DOUBLE),
                agreeing := count(*) FILTER (WHERE is_pair_v1(a, b) AND a = b),
                of_a := map_entries(
                    histogram(CAST(a AS DOUBLE)) FILTER (WHERE is_pair_v1(a, b))
                ),
                of_b := histogram(CAST(b AS DOUBLE)) FILTER (WHERE is_pair_v1(a, b))
            )
        ],
        lambda given_: list_transform(
            [
                coalesce(
                    list_sum(
                        list_transform(
                            given_.of_a,
                            lambda entry_:
                                CAST(entry_.value AS DOUBLE) * given_.of_b[entry_.key]
                        )
                    ),
                    CAST(0 AS DOUBLE)
                )
            ],
            lambda chance_: CASE
                WHEN given_.n > 0 AND chance_ < given_.n * given_.n
                    THEN (given_.agreeing * given_.n - chance_) / (given_.n * given_.n - chance_)
            END
        )[1]
    )[1];
