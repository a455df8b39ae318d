-- Aggregate over the columns of kendall_counts_v1: normal deviate of Kendall's s with ties.
CREATE OR REPLACE MACRO kendall_z_v1(discordant, tie_x, tie_y, tie_xy) AS
kendall_z_of_v1(kendall_counts_v1(discordant, tie_x, tie_y, tie_xy));
