-- Are x and y both there and finite? Incomplete pairs enter no statistic (SPEC 5).
CREATE OR REPLACE MACRO is_pair_v1(x, y) AS
coalesce(isfinite(CAST(x AS DOUBLE)) AND isfinite(CAST(y AS DOUBLE)), false);
