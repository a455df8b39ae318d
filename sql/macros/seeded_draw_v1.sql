-- Draw with replacement from 1 to n, number `place` of resample `resample`: the same arguments
-- give the same draw in every run. Two rounds of hash(), since one does not separate its arguments
-- (facts 3: standard errors half the true size). A paired bootstrap lets one draw serve both
-- systems, a cluster bootstrap draws clusters.
CREATE OR REPLACE MACRO seeded_draw_v1(seed, resample, place, n) AS
CASE
    WHEN n >= 1
        THEN
            CAST(
                hash(
                    hash(
                        CAST(seed AS BIGINT),
                        CAST(resample AS BIGINT),
                        CAST(place AS BIGINT)
                    )
                ) % CAST(n AS UBIGINT) AS BIGINT
            ) + 1
END;
