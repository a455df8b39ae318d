-- Aggregate over units, `ratings` = the list of a unit's ratings: Krippendorff's alpha (2004,
-- chapter 11) for nominal values. Units with fewer than two ratings do not count. NULL where only
-- one value is given.
CREATE OR REPLACE MACRO krippendorff_nominal_v1(ratings) AS
    list_transform(
        [
            struct_pack(
                apart := sum(
                    len(given_ratings_v1(ratings))
                    - agreeing_pairs_v1(ratings)
                    / nullif(CAST(len(given_ratings_v1(ratings)) - 1 AS DOUBLE), 0)
                ) FILTER (WHERE len(given_ratings_v1(ratings)) >= 2),
                everything := flatten(
                    list(given_ratings_v1(ratings))
                    FILTER (WHERE len(given_ratings_v1(ratings)) >= 2)
                )
            )
        ],
        lambda given_: CASE
            WHEN list_min(given_.everything) < list_max(given_.everything)
                THEN
                    1 - given_.apart * (len(given_.everything) - 1) / (
                        pow(len(given_.everything), 2) - category_square_sum_v1(given_.everything)
                    )
        END
    )[1];
