-- Grain: benchmark, pool, scope, item_id
-- Answers: Which items of a scope are resampled, and at which place of it?
-- Formula: pool accepted = accepted items of the scope, pool rated = those with a human score of a
--     system's writing, numbered within the scope; base_scope = the first scope by name that holds
--     the same items, so that each set of items is resampled once.
-- Missing: items in no scope have no row.
-- Replaces: none
-- Known issue: none
CREATE OR REPLACE VIEW bench.scope_item_v1 AS
WITH pool_item AS (
    SELECT
        item.benchmark,
        'accepted' AS pool,
        item.item_id
    FROM corpus.item AS item
    WHERE item.status = 'accepted'
    UNION ALL
    SELECT DISTINCT
        human_score.benchmark,
        'rated' AS pool,
        human_score.item_id
    FROM bench.human_score_v1 AS human_score
    WHERE NOT human_score.is_control AND human_score.perturbation IS NULL
),

member AS (
    SELECT
        pool_item.benchmark,
        pool_item.pool,
        item_scope.scope,
        pool_item.item_id
    FROM pool_item
    INNER JOIN corpus.item_scope AS item_scope
        ON
            item_scope.benchmark = pool_item.benchmark
            AND item_scope.item_id = pool_item.item_id
),

scope_set AS (
    SELECT
        member.benchmark,
        member.pool,
        member.scope,
        string_agg(member.item_id, chr(10) ORDER BY member.item_id) AS items,
        count(*) AS n_item
    FROM member
    GROUP BY member.benchmark, member.pool, member.scope
),

base AS (
    SELECT
        scope_set.benchmark,
        scope_set.pool,
        scope_set.scope,
        scope_set.n_item,
        min(scope_set.scope) OVER (
            PARTITION BY scope_set.benchmark, scope_set.pool, scope_set.items
        ) AS base_scope
    FROM scope_set
)

SELECT
    member.benchmark,
    member.pool,
    member.scope,
    member.item_id,
    base.base_scope,
    row_number() OVER (
        PARTITION BY member.benchmark, member.pool, member.scope ORDER BY member.item_id
    ) AS position,
    base.n_item
FROM member
INNER JOIN base
    ON
        base.benchmark = member.benchmark
        AND base.pool = member.pool
        AND base.scope = member.scope;

COMMENT ON VIEW bench.scope_item_v1 IS 'Items of every scope, numbered for resampling.';
