-- What Stirling's formula lacks: ln gamma(z) - ((z - 1/2) ln z - z + ln(2 pi) / 2) for z > 0, by
-- its series (Abramowitz and Stegun 6.1.42) at z or, below 10, at z + 10 and the recurrence of
-- gamma.
CREATE OR REPLACE MACRO stirling_rest_v1(z) AS
    list_transform(
        [CAST(z AS DOUBLE)],
        lambda low_: list_transform(
            [CASE WHEN low_ < 10 THEN low_ + 10 ELSE low_ END],
            lambda big_:
                (
                    CAST(1 AS DOUBLE) / 12 - (
                        CAST(1 AS DOUBLE) / 360 - (
                            CAST(1 AS DOUBLE) / 1260 - (
                                CAST(1 AS DOUBLE) / 1680 - CAST(1 AS DOUBLE) / 1188 / (big_ * big_)
                            ) / (big_ * big_)
                        ) / (big_ * big_)
                    ) / (big_ * big_)
                ) / big_ + CASE
                    WHEN low_ < 10
                        THEN
                            (big_ - CAST(0.5 AS DOUBLE)) * ln(big_)
                            - (low_ - CAST(0.5 AS DOUBLE)) * ln(low_) - 10
                            - list_reduce(
                                range(10),
                                lambda total_, k_: total_ + ln(low_ + k_),
                                CAST(0 AS DOUBLE)
                            )
                    ELSE CAST(0 AS DOUBLE)
                END
        )[1]
    )[1];
