-- Aggregate over units, `ratings` = the list of a unit's ratings: Krippendorff's alpha (2004,
-- chapter 11) for interval values. Units with fewer than two ratings do not count. NULL where only
-- one value is given.
CREATE OR REPLACE MACRO krippendorff_interval_v1(ratings) AS
interval_alpha_v1(
    list(given_ratings_v1(ratings)) FILTER (WHERE len(given_ratings_v1(ratings)) >= 2)
);
