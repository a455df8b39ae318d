-- Window: rank of v among the rows of partition g, smallest first, ties share the mean of their
-- places (the first is rank(), the last the share of rows up to the ties times the rows).
CREATE OR REPLACE MACRO average_rank_v1(v, g) AS
(
    rank() OVER (PARTITION BY g ORDER BY v)
    + round(cume_dist() OVER (PARTITION BY g ORDER BY v) * count(*) OVER (PARTITION BY g))
)
/ CAST(2 AS DOUBLE);
