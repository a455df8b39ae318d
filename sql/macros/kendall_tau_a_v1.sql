-- Aggregate over the columns of kendall_counts_v1. Kendall's tau-a: concordant minus discordant
-- over all pairs. NULL below three pairs and for constant input.
CREATE OR REPLACE MACRO kendall_tau_a_v1(discordant, tie_x, tie_y, tie_xy) AS
    list_transform(
        [kendall_counts_v1(discordant, tie_x, tie_y, tie_xy)],
        lambda counts_: CASE
            WHEN counts_.is_defined
                THEN counts_.s / counts_.pairs
        END
    )[1];
