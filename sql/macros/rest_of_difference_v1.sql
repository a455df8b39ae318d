-- What a - b loses when it is rounded to a DOUBLE: (a - b) + rest_of_difference_v1(a, b) is exact
-- (Knuth, Seminumerical Algorithms, 4.2.2, theorem B).
CREATE OR REPLACE MACRO rest_of_difference_v1(a, b) AS
(a - ((a - b) - ((a - b) - a))) - (b + ((a - b) - a));
