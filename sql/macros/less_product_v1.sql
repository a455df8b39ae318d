-- a - factor x v with one rounding where a is near the product, for a factor of single precision
-- and v within its range: v is cut in two pieces, each so short that its product is exact
-- (Dekker 1971).
CREATE OR REPLACE MACRO less_product_v1(a, factor, v) AS
(a - factor * CAST(CAST(v AS FLOAT) AS DOUBLE)) - factor * (v - CAST(CAST(v AS FLOAT) AS DOUBLE));
