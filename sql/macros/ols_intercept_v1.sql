-- Aggregate: intercept of the least squares line of y on x (ols_v1).
CREATE OR REPLACE MACRO ols_intercept_v1(x, y) AS
struct_extract(ols_v1(x, y), 'intercept');
