-- Two lists of complete pairs as what correlation_of_v1 needs: {n, dx, dy, varies_x, varies_y}; dx
-- and dy hold the distances from the means.
CREATE OR REPLACE MACRO centred_lists_v1(xs, ys) AS
    list_transform(
        [struct_pack(xs := xs, ys := ys)],
        lambda given_: list_transform(
            [struct_pack(x := list_avg(given_.xs), y := list_avg(given_.ys))],
            lambda mean_: struct_pack(
                n := len(given_.xs),
                dx := list_transform(given_.xs, lambda v_: v_ - mean_.x),
                dy := list_transform(given_.ys, lambda v_: v_ - mean_.y),
                varies_x := is_spread_v1(list_min(given_.xs), list_max(given_.xs)),
                varies_y := is_spread_v1(list_min(given_.ys), list_max(given_.ys))
            )
        )[1]
    )[1];
