-- Aggregate over units, `ratings` = the list of a unit's ratings: ICC(1), one-way random effects,
-- one rating (Shrout and Fleiss 1979, ICC(1,1)). NULL where one_way_variance_v1 is and for
-- constant input.
CREATE OR REPLACE MACRO icc1_v1(ratings) AS
    list_transform(
        [one_way_variance_v1(ratings)],
        lambda square_: CASE
            WHEN square_.between_units + square_.within_units > 0
                THEN
                    (square_.between_units - square_.within_units)
                    / (square_.between_units + (square_.k - 1) * square_.within_units)
        END
    )[1];
