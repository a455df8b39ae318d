-- Aggregate: share of the variance of y explained of the least squares line of y on x (ols_v1).
CREATE OR REPLACE MACRO ols_r2_v1(x, y) AS
struct_extract(ols_v1(x, y), 'r2');
