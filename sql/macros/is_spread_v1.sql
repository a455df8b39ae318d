-- Do values from low to high differ by more than rounding? Equal values that were summed in another
-- order lie some 1e-15 of their size apart; scipy calls a series below 1e-13 nearly constant.
CREATE OR REPLACE MACRO is_spread_v1(low, high) AS
high - low > CAST(1e-13 AS DOUBLE) * greatest(abs(low), abs(high));
