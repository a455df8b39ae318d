-- Aggregate: what Kendall's coefficients need, from the four columns that discordant_before_v1,
-- tie_count_v1 (x and y) and pair_tie_count_v1 give for each complete pair: n, pairs, s
-- (concordant minus discordant), pairs tied in x and in y, the smaller number of distinct values,
-- and the sums of the variance with ties (Kendall 1970, chapter 4).
CREATE OR REPLACE MACRO kendall_counts_v1(discordant, tie_x, tie_y, tie_xy) AS
    list_transform(
        [
            struct_pack(
                n := CAST(count(*) AS DOUBLE),
                dis := CAST(sum(discordant) AS DOUBLE),
                tied_x := CAST(sum(tie_x - 1) AS DOUBLE) / 2,
                tied_y := CAST(sum(tie_y - 1) AS DOUBLE) / 2,
                tied_xy := CAST(sum(tie_xy - 1) AS DOUBLE) / 2,
                distinct_low := least(
                    round(sum(1 / CAST(tie_x AS DOUBLE))), round(sum(1 / CAST(tie_y AS DOUBLE)))
                ),
                v_x := sum((tie_x - 1) * (2 * CAST(tie_x AS DOUBLE) + 5)),
                v_y := sum((tie_y - 1) * (2 * CAST(tie_y AS DOUBLE) + 5)),
                w_x := sum((tie_x - 1) * (CAST(tie_x AS DOUBLE) - 2)),
                w_y := sum((tie_y - 1) * (CAST(tie_y AS DOUBLE) - 2))
            )
        ],
        lambda given_: struct_pack(
            n := given_.n,
            pairs := given_.n * (given_.n - 1) / 2,
            s :=
                given_.n * (given_.n - 1) / 2 - given_.tied_x - given_.tied_y + given_.tied_xy
                - 2 * given_.dis,
            tied_x := given_.tied_x,
            tied_y := given_.tied_y,
            distinct_low := given_.distinct_low,
            v_x := given_.v_x,
            v_y := given_.v_y,
            w_x := given_.w_x,
            w_y := given_.w_y,
            is_defined :=
                given_.n >= 3
                AND given_.tied_x < given_.n * (given_.n - 1) / 2
                AND given_.tied_y < given_.n * (given_.n - 1) / 2
        )
    )[1];
