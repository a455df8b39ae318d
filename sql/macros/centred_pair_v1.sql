-- Aggregate: the complete pairs as {n, mean_x, mean_y, dx, dy, varies_x, varies_y}; dx and dy hold
-- the distances from the means. Centring first keeps every digit of data far from zero, which
-- running sums (corr, regr_slope) lose.
CREATE OR REPLACE MACRO centred_pair_v1(x, y) AS
    list_transform(
        [
            struct_pack(
                xs := list(CAST(x AS DOUBLE)) FILTER (WHERE is_pair_v1(x, y)),
                ys := list(CAST(y AS DOUBLE)) FILTER (WHERE is_pair_v1(x, y))
            )
        ],
        lambda given_: list_transform(
            [struct_pack(x := list_avg(given_.xs), y := list_avg(given_.ys))],
            lambda mean_: struct_pack(
                n := len(given_.xs),
                mean_x := mean_.x,
                mean_y := mean_.y,
                dx := list_transform(given_.xs, lambda v_: v_ - mean_.x),
                dy := list_transform(given_.ys, lambda v_: v_ - mean_.y),
                varies_x := list_min(given_.xs) < list_max(given_.xs),
                varies_y := list_min(given_.ys) < list_max(given_.ys)
            )
        )[1]
    )[1];
