-- Aggregate: Pearson correlation of the complete pairs. NULL below three pairs and for input that
-- is constant but for rounding (is_spread_v1), exactly +-1 for a perfect fit.
CREATE OR REPLACE MACRO pearson_r_v1(x, y) AS
correlation_of_v1(centred_pair_v1(x, y));
