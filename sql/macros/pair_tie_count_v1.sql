-- Window: rows of partition g that tie with this one in x and y and stand before it, as
-- tie_count_v1.
CREATE OR REPLACE MACRO pair_tie_count_v1(x, y, g) AS
row_number() OVER (PARTITION BY g ORDER BY x, y) - rank() OVER (PARTITION BY g ORDER BY x, y);
