-- Aggregate over units, `ratings` = the list of a unit's ratings: Krippendorff's alpha (2004,
-- chapter 11) for ordinal values, which is the one for interval values of the average ranks of all
-- pairable ratings. Units with fewer than two ratings do not count. NULL where only one value is
-- given.
CREATE OR REPLACE MACRO krippendorff_ordinal_v1(ratings) AS
    list_transform(
        [list(given_ratings_v1(ratings)) FILTER (WHERE len(given_ratings_v1(ratings)) >= 2)],
        lambda units_: list_transform(
            [map_entries(list_aggregate(flatten(units_), 'histogram'))],
            lambda entries_: list_transform(
                [
                    map(
                        list_transform(entries_, lambda entry_: entry_.key),
                        list_transform(
                            entries_,
                            lambda entry_, place_:
                                list_sum(
                                    list_transform(
                                        entries_[1:place_],
                                        lambda up_to_: CAST(up_to_.value AS DOUBLE)
                                    )
                                ) - CAST(entry_.value AS DOUBLE) / 2
                        )
                    )
                ],
                lambda rank_of_: interval_alpha_v1(
                    list_transform(
                        units_,
                        lambda unit_: list_transform(unit_, lambda rating_: rank_of_[rating_])
                    )
                )
            )[1]
        )[1]
    )[1];
