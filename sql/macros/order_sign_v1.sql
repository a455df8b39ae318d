-- For every value of a list and every value of it: 1, 0 or -1 as the first is larger, equal or
-- smaller. n * n numbers, row by row; for short lists.
CREATE OR REPLACE MACRO order_sign_v1(xs) AS
    flatten(
        list_transform(
            xs,
            lambda one_: list_transform(xs, lambda other_: CAST(sign(one_ - other_) AS DOUBLE))
        )
    );
