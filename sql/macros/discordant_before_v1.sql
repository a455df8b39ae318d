-- Window: rows of partition g that stand before this one by (x, y) and have a larger y. Summed
-- over g every discordant pair counts once (Knight 1966); equal x stand by y, so their pairs never
-- count. The framed rank makes it n log n; DuckDB only.
CREATE OR REPLACE MACRO discordant_before_v1(x, y, g) AS
rank(ORDER BY y DESC) OVER (
    PARTITION BY g ORDER BY x, y ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
) - 1;
