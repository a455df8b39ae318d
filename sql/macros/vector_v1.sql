-- Aggregate: the values in the order of their places, NULL kept, as a list.
CREATE OR REPLACE MACRO vector_v1(v, place) AS
list(CAST(v AS DOUBLE) ORDER BY place);
