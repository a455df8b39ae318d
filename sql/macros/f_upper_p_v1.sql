-- P(F >= f) of Fisher's F with df1 and df2 > 0 degrees of freedom (Abramowitz and Stegun 26.6.2),
-- NULL where undefined.
CREATE OR REPLACE MACRO f_upper_p_v1(f, df1, df2) AS
    list_transform(
        [
            struct_pack(
                f := CAST(f AS DOUBLE), df1 := CAST(df1 AS DOUBLE), df2 := CAST(df2 AS DOUBLE)
            )
        ],
        lambda given_: CASE
            WHEN isinf(given_.f) AND least(given_.df1, given_.df2) > 0 THEN CAST(0 AS DOUBLE)
            WHEN given_.f >= 0 AND least(given_.df1, given_.df2) > 0
                THEN
                    incomplete_beta_v1(
                        given_.df2 / (given_.df2 + given_.df1 * given_.f),
                        given_.df1 * given_.f / (given_.df2 + given_.df1 * given_.f),
                        given_.df2 / 2,
                        given_.df1 / 2
                    )
        END
    )[1];
