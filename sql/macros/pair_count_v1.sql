-- Aggregate: number of complete pairs.
CREATE OR REPLACE MACRO pair_count_v1(x, y) AS
count(*) FILTER (WHERE is_pair_v1(x, y));
