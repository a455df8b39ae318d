-- Aggregate: Pearson correlation of the complete pairs. NULL below three pairs and for constant
-- input, exactly +-1 for a perfect fit.
CREATE OR REPLACE MACRO pearson_r_v1(x, y) AS
correlation_of_v1(centred_pair_v1(x, y));
