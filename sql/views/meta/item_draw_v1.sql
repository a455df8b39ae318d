-- Grain: benchmark, pool, base_scope, resample
-- Answers: How often does each resample of a scope draw its items?
-- Formula: as many draws with replacement as the scope has items, counted by place of
--     scope_item_v1, seeded: the same in every run and for every method and system. 200 resamples
--     of rated items, 1,000 of accepted ones.
-- Missing: never NULL; an item that is not drawn counts 0.
-- Replaces: none
-- Known issue: none
CREATE OR REPLACE VIEW bench.item_draw_v1 AS
-- Numbers stand in for names where millions of draws are counted.
WITH place AS (
    SELECT
        scope_item.benchmark,
        scope_item.pool,
        scope_item.base_scope,
        scope_item.position,
        scope_item.n_item,
        CAST(
            dense_rank() OVER (
                ORDER BY scope_item.benchmark, scope_item.pool, scope_item.base_scope
            ) AS INTEGER
        ) AS base_key
    FROM bench.scope_item_v1 AS scope_item
    WHERE scope_item.scope = scope_item.base_scope
),

resampled_place AS (
    SELECT
        place.base_key,
        place.position,
        place.n_item,
        number.n AS resample
    FROM place
    INNER JOIN run.number AS number
        ON number.n < CASE WHEN place.pool = 'rated' THEN 200 ELSE 1000 END
),

drawn AS (
    SELECT
        draw.base_key,
        draw.resample,
        draw.position,
        count(*) AS n_drawn
    FROM (
        SELECT
            resampled_place.base_key,
            resampled_place.resample,
            seeded_draw_v1(
                1, resampled_place.resample, resampled_place.position, resampled_place.n_item
            ) AS position
        FROM resampled_place
    ) AS draw
    GROUP BY draw.base_key, draw.resample, draw.position
),

counted AS (
    SELECT
        resampled_place.base_key,
        resampled_place.resample,
        vector_v1(coalesce(drawn.n_drawn, 0), resampled_place.position) AS counts
    FROM resampled_place
    LEFT JOIN drawn
        ON
            drawn.base_key = resampled_place.base_key
            AND drawn.resample = resampled_place.resample
            AND drawn.position = resampled_place.position
    GROUP BY resampled_place.base_key, resampled_place.resample
),

base AS (
    SELECT DISTINCT
        place.benchmark,
        place.pool,
        place.base_scope,
        place.n_item,
        place.base_key
    FROM place
)

SELECT
    base.benchmark,
    base.pool,
    base.base_scope,
    counted.resample,
    base.n_item,
    counted.counts
FROM counted
INNER JOIN base ON base.base_key = counted.base_key;

COMMENT ON VIEW bench.item_draw_v1 IS 'How often each seeded resample draws each item of a scope.';
