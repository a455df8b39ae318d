-- Aggregate over units, `ratings` = the list of a unit's ratings: {k, between_units,
-- within_units}, the ratings a unit and the mean squares of the one-way analysis of variance. NULL
-- unless there are two units and all have the same number of ratings, at least two.
CREATE OR REPLACE MACRO one_way_variance_v1(ratings) AS
CASE
    WHEN
        count(*) >= 2
        AND min(coalesce(len(given_ratings_v1(ratings)), 0)) >= 2
        AND min(len(given_ratings_v1(ratings))) = max(len(given_ratings_v1(ratings)))
        THEN
            struct_pack(
                k := CAST(max(len(given_ratings_v1(ratings))) AS DOUBLE),
                between_units
                := max(len(given_ratings_v1(ratings)))
                * var_samp(list_avg(given_ratings_v1(ratings))),
                within_units := avg(list_var_samp(given_ratings_v1(ratings)))
            )
END;
