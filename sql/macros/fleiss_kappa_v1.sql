-- Aggregate over units, `ratings` = the list of a unit's ratings: Fleiss' kappa (1971). NULL
-- unless all units have the same number of ratings, at least two, and where only one value is
-- given.
CREATE OR REPLACE MACRO fleiss_kappa_v1(ratings) AS
    list_transform(
        [
            struct_pack(
                fewest := min(coalesce(len(given_ratings_v1(ratings)), 0)),
                most := max(len(given_ratings_v1(ratings))),
                agreeing := avg(agreeing_pairs_v1(ratings)),
                everything := flatten(list(given_ratings_v1(ratings)))
            )
        ],
        lambda given_: list_transform(
            [
                struct_pack(
                    observed :=
                        given_.agreeing
                        / nullif(CAST(given_.most AS DOUBLE) * (given_.most - 1), 0),
                    chance :=
                        category_square_sum_v1(given_.everything)
                        / pow(nullif(len(given_.everything), 0), 2)
                )
            ],
            lambda share_: CASE
                WHEN given_.fewest >= 2 AND given_.fewest = given_.most AND share_.chance < 1
                    THEN (share_.observed - share_.chance) / (1 - share_.chance)
            END
        )[1]
    )[1];
