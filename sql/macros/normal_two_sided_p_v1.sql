-- P(|Z| >= |z|) of a standard normal Z: the series of erf below 3 (Abramowitz and Stegun 7.1.6),
-- the continued fraction of erfc above (7.1.14), each from its last term. NULL for NULL and NaN.
CREATE OR REPLACE MACRO normal_two_sided_p_v1(z) AS
    list_transform(
        [abs(CAST(z AS DOUBLE))],
        lambda size_: CASE
            WHEN size_ IS NULL OR isnan(size_) THEN NULL
            WHEN size_ < 3
                THEN
                    1 - sqrt(2 / pi()) * exp(-size_ * size_ / 2) * size_ * list_reduce(
                        range(60, 0, -1),
                        lambda tail_, j_: 1 + tail_ * size_ * size_ / (2 * j_ + 1),
                        CAST(1 AS DOUBLE)
                    )
            WHEN size_ < 40
                THEN
                    exp(-size_ * size_ / 2) / sqrt(pi()) / list_reduce(
                        range(80, 0, -1),
                        lambda tail_, j_:
                            size_ / sqrt(CAST(2 AS DOUBLE)) + j_ / CAST(2 AS DOUBLE) / tail_,
                        size_ / sqrt(CAST(2 AS DOUBLE))
                    )
            ELSE CAST(0 AS DOUBLE)
        END
    )[1];
