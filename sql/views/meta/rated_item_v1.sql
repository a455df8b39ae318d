-- Grain: benchmark, scope, item_id
-- Answers: Which items of a scope have writings that people rated?
-- Formula: pool rated of scope_item_v1.
-- Missing: items without a human score have no row.
-- Replaces: none
-- Known issue: none
CREATE OR REPLACE VIEW bench.rated_item_v1 AS
SELECT
    scope_item.benchmark,
    scope_item.scope,
    scope_item.item_id,
    scope_item.base_scope,
    scope_item.position,
    scope_item.n_item
FROM bench.scope_item_v1 AS scope_item
WHERE scope_item.pool = 'rated';

COMMENT ON VIEW bench.rated_item_v1 IS 'Items with human scores, numbered within their scope.';
