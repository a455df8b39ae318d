-- Grain: benchmark, item_id, tree, node
-- Answers: Which weight has a node under its parent for an item?
-- Formula: fixed = the tree's number; leaf_count = leaves under the node / leaves under its
--     parent; negotiated = the asked negotiator's current answer, repeat 0; inserted(cap) = max(0,
--     min(mean of the negotiated siblings, cap)). The siblings but the inserted must sum to 1
--     within 0.01; all are divided by their sum when it is not 1 (SPEC 4).
-- Missing: weight is NULL for all siblings when one has no weight or their sum is off; status says
--     why. Never a default weight.
-- Replaces: none
-- Known issue: none
CREATE OR REPLACE VIEW bench.edge_weight_v1 AS
WITH negotiated AS (
    SELECT
        weight_answer.benchmark,
        weight_answer.item_id,
        weight_answer.tree,
        weight_answer.node,
        weight_answer.weight,
        weight_answer.status
    FROM bench.edge_answer_v1 AS weight_answer
    WHERE weight_answer.repeat = 0
),

-- What each rule says; an inserted weight waits for its siblings.
ruled AS (
    SELECT
        item.benchmark,
        item.item_id,
        task_node.tree,
        task_node.node,
        task_node.parent,
        task_node.weight_rule,
        task_node.weight AS cap,
        CASE
            WHEN task_node.weight_rule = 'fixed' THEN task_node.weight
            WHEN task_node.weight_rule = 'leaf_count'
                THEN CAST(task_node.n_leaf AS DOUBLE) / CAST(parent.n_leaf AS DOUBLE)
            WHEN negotiated.status IN ('ok', 'repaired') THEN negotiated.weight
        END AS weight,
        CASE
            WHEN task_node.weight_rule <> 'negotiated' THEN 'ok'
            ELSE coalesce(negotiated.status, 'never_asked')
        END AS status
    FROM corpus.item AS item
    INNER JOIN bench.task_node_v1 AS task_node
        ON
            task_node.benchmark = item.benchmark
            AND task_node.task = item.task
            AND task_node.genre = item.genre
    INNER JOIN bench.task_node_v1 AS parent
        ON
            parent.benchmark = task_node.benchmark
            AND parent.task = task_node.task
            AND parent.genre = task_node.genre
            AND parent.tree = task_node.tree
            AND parent.node = task_node.parent
    LEFT JOIN negotiated
        ON
            negotiated.benchmark = item.benchmark
            AND negotiated.item_id = item.item_id
            AND negotiated.tree = task_node.tree
            AND negotiated.node = task_node.node
    WHERE item.status = 'accepted'
),

sibling AS (
    SELECT
        ruled.benchmark,
        ruled.item_id,
        ruled.tree,
        ruled.parent,
        count(*) AS n_sibling,
        count(ruled.weight) AS n_weight,
        count(CASE WHEN ruled.weight_rule = 'inserted' THEN 1 END) AS n_inserted,
        sum(ruled.weight) AS weight_sum,
        avg(CASE WHEN ruled.weight_rule = 'negotiated' THEN ruled.weight END) AS negotiated_mean
    FROM ruled
    GROUP BY ruled.benchmark, ruled.item_id, ruled.tree, ruled.parent
),

resolved AS (
    SELECT
        ruled.benchmark,
        ruled.item_id,
        ruled.tree,
        ruled.node,
        ruled.parent,
        ruled.weight_rule,
        ruled.status,
        sibling.n_sibling,
        -- least() skips NULL: without negotiated siblings there is nothing to insert
        CASE
            WHEN ruled.weight_rule <> 'inserted' THEN ruled.weight
            WHEN sibling.negotiated_mean IS NOT NULL
                THEN
                    greatest(
                        CAST(0 AS DOUBLE), least(sibling.negotiated_mean, ruled.cap)
                    )
        END AS rule_weight,
        sibling.n_weight + sibling.n_inserted = sibling.n_sibling AS is_complete,
        -- rounded, so that a sum off by exactly 0.01 does not hang on the last bit
        coalesce(
            round(abs(sibling.weight_sum - CAST(1 AS DOUBLE)), 9) <= CAST(0.01 AS DOUBLE), FALSE
        ) AS sums_to_one
    FROM ruled
    INNER JOIN sibling
        ON
            sibling.benchmark = ruled.benchmark
            AND sibling.item_id = ruled.item_id
            AND sibling.tree = ruled.tree
            AND sibling.parent = ruled.parent
),

summed AS (
    SELECT
        resolved.benchmark,
        resolved.item_id,
        resolved.tree,
        resolved.node,
        resolved.parent,
        resolved.weight_rule,
        resolved.status,
        resolved.n_sibling,
        resolved.rule_weight,
        resolved.is_complete,
        resolved.is_complete AND resolved.sums_to_one AS is_usable,
        sum(resolved.rule_weight) OVER (
            PARTITION BY resolved.benchmark, resolved.item_id, resolved.tree, resolved.parent
        ) AS weight_sum
    FROM resolved
)

SELECT
    summed.benchmark,
    summed.item_id,
    summed.tree,
    summed.node,
    summed.parent,
    CASE
        WHEN NOT summed.is_usable THEN NULL
        WHEN abs(summed.weight_sum - CAST(1 AS DOUBLE)) <= CAST(1e-9 AS DOUBLE)
            THEN summed.rule_weight
        ELSE summed.rule_weight / nullif(summed.weight_sum, CAST(0 AS DOUBLE))
    END AS weight,
    summed.weight_rule,
    summed.rule_weight,
    summed.weight_sum,
    summed.is_usable
    AND abs(summed.weight_sum - CAST(1 AS DOUBLE)) > CAST(1e-9 AS DOUBLE) AS is_normalised,
    summed.n_sibling,
    CASE
        WHEN summed.status NOT IN ('ok', 'repaired') OR summed.is_usable THEN summed.status
        WHEN summed.is_complete THEN 'sum_not_one'
        ELSE 'sibling_missing'
    END AS status
FROM summed;

COMMENT ON VIEW bench.edge_weight_v1 IS
'Weight of every node under its parent, for every item and asked tree.';
COMMENT ON COLUMN bench.edge_weight_v1.rule_weight IS
'What the rule says, before dividing by the sum.';
COMMENT ON COLUMN bench.edge_weight_v1.weight_sum IS 'Sum of rule_weight over the siblings.';
