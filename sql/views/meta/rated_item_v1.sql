-- Grain: benchmark, scope, item_id
-- Answers: Which items of a scope have writings that people rated?
-- Formula: items of the scope with a human score of a system's writing, numbered within the scope;
--     base_scope = the first scope by name that holds the same items, so that each set of items is
--     resampled once.
-- Missing: items without a human score have no row.
-- Replaces: none
-- Known issue: none
CREATE OR REPLACE VIEW bench.rated_item_v1 AS
WITH rated AS (
    SELECT DISTINCT
        human_score.benchmark,
        human_score.item_id
    FROM bench.human_score_v1 AS human_score
    WHERE NOT human_score.is_control AND human_score.perturbation IS NULL
),

scope_set AS (
    SELECT
        rated.benchmark,
        item_scope.scope,
        string_agg(rated.item_id, chr(10) ORDER BY rated.item_id) AS items
    FROM rated
    INNER JOIN corpus.item_scope AS item_scope
        ON item_scope.benchmark = rated.benchmark AND item_scope.item_id = rated.item_id
    GROUP BY rated.benchmark, item_scope.scope
),

base AS (
    SELECT
        scope_set.benchmark,
        scope_set.scope,
        min(scope_set.scope) OVER (PARTITION BY scope_set.benchmark, scope_set.items) AS base_scope
    FROM scope_set
)

SELECT
    rated.benchmark,
    item_scope.scope,
    rated.item_id,
    base.base_scope,
    row_number() OVER (
        PARTITION BY rated.benchmark, item_scope.scope ORDER BY rated.item_id
    ) AS position,
    count(*) OVER (PARTITION BY rated.benchmark, item_scope.scope) AS n_item
FROM rated
INNER JOIN corpus.item_scope AS item_scope
    ON item_scope.benchmark = rated.benchmark AND item_scope.item_id = rated.item_id
INNER JOIN base
    ON base.benchmark = item_scope.benchmark AND base.scope = item_scope.scope;

COMMENT ON VIEW bench.rated_item_v1 IS 'Items with human scores, numbered within their scope.';
