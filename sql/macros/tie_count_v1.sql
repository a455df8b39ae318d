-- Window: rows of partition g that tie with this one in v and stand before it. Every pair of tied
-- rows counts once.
CREATE OR REPLACE MACRO tie_count_v1(v, g) AS
row_number() OVER (PARTITION BY g ORDER BY v) - rank() OVER (PARTITION BY g ORDER BY v);
