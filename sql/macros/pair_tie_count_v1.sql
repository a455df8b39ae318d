-- Window: rows of partition g that have this x and this y, the row itself included, as
-- tie_count_v1.
CREATE OR REPLACE MACRO pair_tie_count_v1(x, y, g) AS
count(*) OVER (PARTITION BY g ORDER BY x, y) - rank() OVER (PARTITION BY g ORDER BY x, y) + 1;
