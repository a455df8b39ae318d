-- Window: rank of v among the rows of partition g, smallest first, ties share the mean of their
-- places (the first is rank(), the last the count up to the ties). One sort serves both.
CREATE OR REPLACE MACRO average_rank_v1(v, g) AS
(rank() OVER (PARTITION BY g ORDER BY v) + count(*) OVER (PARTITION BY g ORDER BY v))
/ CAST(2 AS DOUBLE);
