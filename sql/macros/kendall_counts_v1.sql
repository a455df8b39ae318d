-- Aggregate: what Kendall's coefficients need, from the four columns that discordant_before_v1,
-- tie_count_v1 (x and y) and pair_tie_count_v1 give for each complete pair: n, pairs, s
-- (concordant minus discordant), pairs tied in x and in y, the smaller number of distinct values,
-- and the sums v and w of the variance with ties (Kendall 1970, chapter 4). With k the ties before
-- a row, a tie of t rows has t (t - 1) = 2 sum k and t (t - 1) (t - 2) = 3 sum k (k - 1).
CREATE OR REPLACE MACRO kendall_counts_v1(discordant, tie_x, tie_y, tie_xy) AS
    list_transform(
        [
            struct_pack(
                n := CAST(count(*) AS DOUBLE),
                dis := sum(CAST(discordant AS DOUBLE)),
                tied_x := sum(CAST(tie_x AS DOUBLE)),
                tied_y := sum(CAST(tie_y AS DOUBLE)),
                tied_xy := sum(CAST(tie_xy AS DOUBLE)),
                distinct_low := CAST(
                    least(
                        count(*) FILTER (WHERE tie_x = 0), count(*) FILTER (WHERE tie_y = 0)
                    ) AS DOUBLE
                ),
                w_x := 3 * sum(CAST(tie_x AS DOUBLE) * (CAST(tie_x AS DOUBLE) - 1)),
                w_y := 3 * sum(CAST(tie_y AS DOUBLE) * (CAST(tie_y AS DOUBLE) - 1))
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
            v_x := 2 * given_.w_x + 18 * given_.tied_x,
            v_y := 2 * given_.w_y + 18 * given_.tied_y,
            w_x := given_.w_x,
            w_y := given_.w_y,
            is_defined :=
                given_.n >= 3
                AND given_.tied_x < given_.n * (given_.n - 1) / 2
                AND given_.tied_y < given_.n * (given_.n - 1) / 2
        )
    )[1];
