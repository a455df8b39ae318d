-- Aggregate: the complete pairs as {n, xs, ys, mean_x, mean_y, unit_x, unit_y, dx, dy, varies_x,
-- varies_y}; dx and dy hold the distances from the means in units, powers of two near the range.
-- Centring first keeps every digit of data far from zero, which running sums (corr, regr_slope)
-- lose; units keep squares of any scale within range.
CREATE OR REPLACE MACRO centred_pair_v1(x, y) AS
    list_transform(
        [
            struct_pack(
                xs := list(CAST(x AS DOUBLE)) FILTER (WHERE is_pair_v1(x, y)),
                ys := list(CAST(y AS DOUBLE)) FILTER (WHERE is_pair_v1(x, y)),
                low_x := min(CAST(x AS DOUBLE)) FILTER (WHERE is_pair_v1(x, y)),
                high_x := max(CAST(x AS DOUBLE)) FILTER (WHERE is_pair_v1(x, y)),
                low_y := min(CAST(y AS DOUBLE)) FILTER (WHERE is_pair_v1(x, y)),
                high_y := max(CAST(y AS DOUBLE)) FILTER (WHERE is_pair_v1(x, y))
            )
        ],
        lambda given_: list_transform(
            [
                struct_pack(
                    x := list_avg(given_.xs),
                    y := list_avg(given_.ys),
                    unit_x := unit_of_range_v1(given_.low_x, given_.high_x),
                    unit_y := unit_of_range_v1(given_.low_y, given_.high_y)
                )
            ],
            lambda mean_: struct_pack(
                n := len(given_.xs),
                xs := given_.xs,
                ys := given_.ys,
                mean_x := mean_.x,
                mean_y := mean_.y,
                unit_x := mean_.unit_x,
                unit_y := mean_.unit_y,
                dx := list_transform(given_.xs, lambda v_: (v_ - mean_.x) / mean_.unit_x),
                dy := list_transform(given_.ys, lambda v_: (v_ - mean_.y) / mean_.unit_y),
                varies_x := is_spread_v1(given_.low_x, given_.high_x),
                varies_y := is_spread_v1(given_.low_y, given_.high_y)
            )
        )[1]
    )[1];
