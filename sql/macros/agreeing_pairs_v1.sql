-- Ordered pairs of equal ratings in the ratings of one unit.
CREATE OR REPLACE MACRO agreeing_pairs_v1(ratings) AS
    list_transform(
        [given_ratings_v1(ratings)],
        lambda given_: list_sum(
            list_transform(
                map_values(list_aggregate(given_, 'histogram')),
                lambda n_: CAST(n_ AS DOUBLE) * (CAST(n_ AS DOUBLE) - 1)
            )
        )
    )[1];
