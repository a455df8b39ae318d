-- Window: rows of partition g that have this v, the row itself included: the last place of the tie
-- less the first.
CREATE OR REPLACE MACRO tie_count_v1(v, g) AS
count(*) OVER (PARTITION BY g ORDER BY v) - rank() OVER (PARTITION BY g ORDER BY v) + 1;
