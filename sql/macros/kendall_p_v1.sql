-- Aggregate over the columns of kendall_counts_v1: two-sided p of Kendall's coefficients (the same
-- for a, b and c), exact for n <= 50 without ties, else normal with the variance for ties. NULL
-- where the coefficients are.
CREATE OR REPLACE MACRO kendall_p_v1(discordant, tie_x, tie_y, tie_xy) AS
    list_transform(
        [kendall_counts_v1(discordant, tie_x, tie_y, tie_xy)],
        lambda counts_: CASE
            WHEN NOT coalesce(counts_.is_defined, false) THEN NULL
            WHEN counts_.n <= 50 AND counts_.tied_x = 0 AND counts_.tied_y = 0
                THEN kendall_exact_p_v1(counts_.s, counts_.n)
            ELSE normal_two_sided_p_v1(kendall_z_of_v1(counts_))
        END
    )[1];
