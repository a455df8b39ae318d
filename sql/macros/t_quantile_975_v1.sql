-- 0.975 quantile of Student's t for whole df, NULL below 1: the Cornish-Fisher series in 1 / df
-- (Abramowitz and Stegun 26.7.5), below 200 degrees of freedom brought to full precision by Newton
-- steps on the central area. Their slope, the density with Stirling's series for its gamma ratio,
-- need only be near.
CREATE OR REPLACE MACRO t_quantile_975_v1(df) AS
    CASE
        WHEN df >= 1
            THEN
                list_reduce(
                    range(CASE WHEN df < 200 THEN 8 ELSE 0 END),
                    lambda t, step:
                        t - (t_central_area_v1(t, df) - CAST(0.95 AS DOUBLE))
                        * CAST(1.2533141373155003 AS DOUBLE)
                        * pow(1 + t * t / df, (df + 1) / CAST(2 AS DOUBLE))
                        / (
                            1 - 1 / (CAST(4 AS DOUBLE) * df) + 1 / (CAST(32 AS DOUBLE) * df * df)
                            + 5 / (CAST(128 AS DOUBLE) * df * df * df)
                            - 21 / (CAST(2048 AS DOUBLE) * df * df * df * df)
                        ),
                    CAST(1.9599639845400542 AS DOUBLE)
                    + CAST(2.372271230298563 AS DOUBLE) / df
                    + CAST(2.822498615739612 AS DOUBLE) / pow(df, 2)
                    + CAST(2.5558496795077237 AS DOUBLE) / pow(df, 3)
                    + CAST(1.5895340533938236 AS DOUBLE) / pow(df, 4)
                )
    END;
