-- x^a y^b / B(a, b) for y = 1 - x: Stirling's formula with the large parts of the logarithms
-- cancelled by hand, which keeps ten digits for a and b in the millions.
CREATE OR REPLACE MACRO beta_front_v1(x, y, a, b) AS
    list_transform(
        [struct_pack(x := x, y := y, a := a, b := b)],
        lambda given_: exp(
            list_sum(
                list_transform(
                    [
                        struct_pack(v := given_.x, rest := given_.y, p := given_.a, q := given_.b),
                        struct_pack(v := given_.y, rest := given_.x, p := given_.b, q := given_.a)
                    ],
                    lambda side_: side_.p * log_of_ratio_v1(
                        side_.v * (side_.p + side_.q) / side_.p,
                        (side_.v * side_.q - side_.rest * side_.p) / side_.p
                    )
                )
            ) + list_reduce(
                list_transform(
                    [given_.a + given_.b, given_.a, given_.b], lambda z_: stirling_rest_v1(z_)
                ),
                lambda total_, rest_: total_ - rest_
            )
        ) * sqrt(given_.a * given_.b / (given_.a + given_.b) / (2 * pi()))
    )[1];
