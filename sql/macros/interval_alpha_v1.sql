-- Krippendorff's alpha for interval values of a list of units, each a list of at least two
-- ratings: 1 - sum over units of m var(unit) / (n var(all)). NULL where only one value is given.
CREATE OR REPLACE MACRO interval_alpha_v1(units) AS
    list_transform(
        [units],
        lambda given_: CASE
            WHEN list_min(flatten(given_)) < list_max(flatten(given_))
                THEN
                    1 - list_sum(
                        list_transform(given_, lambda unit_: len(unit_) * list_var_samp(unit_))
                    ) / (len(flatten(given_)) * list_var_samp(flatten(given_)))
        END
    )[1];
