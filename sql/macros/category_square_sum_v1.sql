-- Sum over the distinct values of a list of the squared number of times they occur.
CREATE OR REPLACE MACRO category_square_sum_v1(ratings) AS
    list_sum(
        list_transform(
            map_values(list_aggregate(ratings, 'histogram')),
            lambda n_: CAST(n_ AS DOUBLE) * CAST(n_ AS DOUBLE)
        )
    );
