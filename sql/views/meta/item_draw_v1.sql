-- Grain: benchmark, base_scope, resample, item_id
-- Answers: How often does each resample of a scope draw an item?
-- Formula: 200 resamples with replacement of the items of rated_item_v1, as many draws as items,
--     seeded: the same in every run and for every method.
-- Missing: an item that a resample does not draw has no row.
-- Replaces: none
-- Known issue: none
CREATE OR REPLACE VIEW bench.item_draw_v1 AS
WITH draw AS (
    SELECT
        item.benchmark,
        item.base_scope,
        number.n AS resample,
        seeded_draw_v1(1, number.n, item.position, item.n_item) AS position
    FROM bench.rated_item_v1 AS item
    INNER JOIN run.number AS number ON number.n < 200
    WHERE item.scope = item.base_scope
)

SELECT
    draw.benchmark,
    draw.base_scope,
    draw.resample,
    item.item_id,
    CAST(count(*) AS DOUBLE) AS n_drawn
FROM draw
INNER JOIN bench.rated_item_v1 AS item
    ON
        item.benchmark = draw.benchmark
        AND item.scope = draw.base_scope
        AND item.position = draw.position
GROUP BY draw.benchmark, draw.base_scope, draw.resample, item.item_id;

COMMENT ON VIEW bench.item_draw_v1 IS 'Items that each seeded resample of a scope draws.';
