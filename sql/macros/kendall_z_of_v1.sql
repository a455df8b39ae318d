-- Normal deviate of Kendall's s under independence with ties (Kendall 1970, 4.4), from
-- kendall_counts_v1. NULL where the coefficients are.
CREATE OR REPLACE MACRO kendall_z_of_v1(counts) AS
    list_transform(
        [counts],
        lambda k_: CASE
            WHEN k_.is_defined
                THEN
                    k_.s / sqrt(
                        (k_.n * (k_.n - 1) * (2 * k_.n + 5) - k_.v_x - k_.v_y) / 18
                        + k_.w_x * k_.w_y / (9 * k_.n * (k_.n - 1) * (k_.n - 2))
                        + 2 * k_.tied_x * k_.tied_y / (k_.n * (k_.n - 1))
                    )
        END
    )[1];
