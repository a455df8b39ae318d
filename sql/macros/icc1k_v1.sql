-- Aggregate over units, `ratings` = the list of a unit's ratings: ICC(1,k), one-way random
-- effects, mean of the k ratings (Shrout and Fleiss 1979). NULL where one_way_variance_v1 is and
-- where all units have the same mean.
CREATE OR REPLACE MACRO icc1k_v1(ratings) AS
    list_transform(
        [one_way_variance_v1(ratings)],
        lambda square_: CASE
            WHEN square_.between_units > 0
                THEN (square_.between_units - square_.within_units) / square_.between_units
        END
    )[1];
