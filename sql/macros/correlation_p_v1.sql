-- Two-sided p of a correlation r with df degrees of freedom: P(|T| >= |r| sqrt(df / (1 - r^2)))
-- for Student's T, as I_(1 - r^2)(df / 2, 1 / 2). df = n - 2 for Pearson and Spearman, n - 3 for a
-- partial correlation. NULL if r is NULL or df < 1; exactly 0 for |r| = 1.
CREATE OR REPLACE MACRO correlation_p_v1(r, df) AS
    list_transform(
        [struct_pack(r := CAST(r AS DOUBLE), df := CAST(df AS DOUBLE))],
        lambda given_: CASE
            WHEN given_.df >= 1 AND abs(given_.r) <= 1
                THEN
                    incomplete_beta_v1(
                        (1 - abs(given_.r)) * (1 + abs(given_.r)),
                        given_.r * given_.r,
                        given_.df / 2,
                        CAST(0.5 AS DOUBLE)
                    )
        END
    )[1];
