-- Sum of the products of two lists of one length without NULL.
CREATE OR REPLACE MACRO dot_product_v1(xs, ys) AS
list_dot_product(xs, ys);
