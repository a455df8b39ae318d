-- P(|T| >= |t|) of Student's T with df > 0 degrees of freedom (Abramowitz and Stegun 26.7.1), NULL
-- where undefined.
CREATE OR REPLACE MACRO t_two_sided_p_v1(t, df) AS
    list_transform(
        [struct_pack(t := CAST(t AS DOUBLE), df := CAST(df AS DOUBLE))],
        lambda given_: CASE
            WHEN isinf(given_.t) AND given_.df > 0 THEN CAST(0 AS DOUBLE)
            WHEN given_.df > 0
                THEN
                    incomplete_beta_v1(
                        given_.df / (given_.df + given_.t * given_.t),
                        given_.t * given_.t / (given_.df + given_.t * given_.t),
                        given_.df / 2,
                        CAST(0.5 AS DOUBLE)
                    )
        END
    )[1];
