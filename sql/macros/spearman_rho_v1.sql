-- Aggregate over average_rank_v1 of both sides of the complete pairs: Spearman's rho. Ranks lie
-- near their mean, so that running sums keep their digits; equal and mirrored ranks are exactly
-- +-1. NULL below three pairs and for constant input.
CREATE OR REPLACE MACRO spearman_rho_v1(rank_x, rank_y) AS
CASE
    WHEN count(*) < 3 OR min(rank_x) = max(rank_x) OR min(rank_y) = max(rank_y) THEN NULL
    WHEN max(abs(rank_x - rank_y)) = 0 THEN CAST(1 AS DOUBLE)
    WHEN min(rank_x + rank_y) = max(rank_x + rank_y) THEN CAST(-1 AS DOUBLE)
    ELSE greatest(CAST(-1 AS DOUBLE), least(CAST(1 AS DOUBLE), corr(rank_x, rank_y)))
END;
