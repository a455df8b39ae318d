-- Window: what correlations_v1 needs of a row of partition g: the pair, its average ranks and its
-- counts for Kendall. Ranks are of values rounded to twelve digits, so that equal means summed in
-- another order stay ties.
CREATE OR REPLACE MACRO correlation_row_v1(x, y, g) AS
struct_pack(
    x := x,
    y := y,
    x_rank := average_rank_v1(round(x, 12), g),
    y_rank := average_rank_v1(round(y, 12), g),
    x_tie := tie_count_v1(round(x, 12), g),
    y_tie := tie_count_v1(round(y, 12), g),
    xy_tie := pair_tie_count_v1(round(x, 12), round(y, 12), g),
    discordant := discordant_before_v1(round(x, 12), round(y, 12), g)
);
