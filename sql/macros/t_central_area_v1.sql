-- P(-t < T < t) of Student's T with df degrees of freedom: the finite sum for whole df from 1 to
-- about 400 (Abramowitz and Stegun 26.7.3 and 26.7.4), evaluated from its last term.
CREATE OR REPLACE MACRO t_central_area_v1(t, df) AS
    CASE
        WHEN df % 2 = 1
            THEN
                CAST(0.6366197723675813430755 AS DOUBLE) * (
                    atan(t / sqrt(df)) + CASE
                        WHEN df = 1 THEN CAST(0 AS DOUBLE)
                        ELSE
                            (t * sqrt(df) / (df + t * t)) * list_reduce(
                                range((df - 3) // 2, 0, -1),
                                lambda tail, k:
                                    CAST(1 AS DOUBLE)
                                    + tail * (df / (df + t * t)) * (2 * k) / (2 * k + 1),
                                CAST(1 AS DOUBLE)
                            )
                    END
                )
        ELSE
            (t / sqrt(df + t * t)) * list_reduce(
                range((df - 2) // 2, 0, -1),
                lambda tail, k:
                    CAST(1 AS DOUBLE) + tail * (df / (df + t * t)) * (2 * k - 1) / (2 * k),
                CAST(1 AS DOUBLE)
            )
    END;
