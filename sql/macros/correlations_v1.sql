-- Aggregate over the rows of correlation_row_v1, complete pairs: {n, pearson, spearman, kendall,
-- kendall_p}.
CREATE OR REPLACE MACRO correlations_v1(pair) AS
struct_pack(
    n := count(*),
    pearson := pearson_r_v1(struct_extract(pair, 'x'), struct_extract(pair, 'y')),
    spearman := spearman_rho_v1(struct_extract(pair, 'x_rank'), struct_extract(pair, 'y_rank')),
    kendall := kendall_tau_b_v1(
        struct_extract(pair, 'discordant'),
        struct_extract(pair, 'x_tie'),
        struct_extract(pair, 'y_tie'),
        struct_extract(pair, 'xy_tie')
    ),
    kendall_p := kendall_p_v1(
        struct_extract(pair, 'discordant'),
        struct_extract(pair, 'x_tie'),
        struct_extract(pair, 'y_tie'),
        struct_extract(pair, 'xy_tie')
    )
);
