-- Aggregate over the columns of kendall_counts_v1. Kendall's tau-b: concordant minus discordant
-- over the geometric mean of the pairs untied in x and those untied in y. NULL below three pairs
-- and for constant input.
CREATE OR REPLACE MACRO kendall_tau_b_v1(discordant, tie_x, tie_y, tie_xy) AS
    list_transform(
        [kendall_counts_v1(discordant, tie_x, tie_y, tie_xy)],
        lambda counts_: CASE
            WHEN counts_.is_defined
                THEN counts_.s / sqrt(
                    (counts_.pairs - counts_.tied_x) * (counts_.pairs - counts_.tied_y)
                )
        END
    )[1];
