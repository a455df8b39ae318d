-- The ratings of a unit that are there and finite.
CREATE OR REPLACE MACRO given_ratings_v1(ratings) AS
    list_filter(CAST(ratings AS DOUBLE[]), lambda rating_: isfinite(rating_));
