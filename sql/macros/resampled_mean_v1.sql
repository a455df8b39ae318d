-- Mean of values in a resample that draws each of them counts times (item_draw_v1): xs holds 0 and
-- present 0 where there is no value, which does not count; NULL where no value is drawn.
CREATE OR REPLACE MACRO resampled_mean_v1(xs, present, counts) AS
list_dot_product(xs, counts) / nullif(list_dot_product(present, counts), CAST(0 AS DOUBLE));
