-- Number in (0, 1) that depends on seed, i and j alone: the upper 53 bits of two rounds of hash().
CREATE OR REPLACE MACRO seeded_uniform_v1(seed, i, j) AS
(
    CAST(
        hash(hash(CAST(seed AS BIGINT), CAST(i AS BIGINT), CAST(j AS BIGINT))) >> 11 AS DOUBLE
    ) + CAST(0.5 AS DOUBLE)
) / CAST(9007199254740992 AS DOUBLE);
