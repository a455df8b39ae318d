-- Aggregate over the columns of kendall_counts_v1. Stuart's tau-c: 2 (concordant minus discordant)
-- / (n^2 (m - 1) / m), m = the smaller number of distinct values. NULL below three pairs and for
-- constant input.
CREATE OR REPLACE MACRO kendall_tau_c_v1(discordant, tie_x, tie_y, tie_xy) AS
    list_transform(
        [kendall_counts_v1(discordant, tie_x, tie_y, tie_xy)],
        lambda counts_: CASE
            WHEN counts_.is_defined
                THEN 2 * counts_.s * counts_.distinct_low
                / (counts_.n * counts_.n * (counts_.distinct_low - 1))
        END
    )[1];
