-- Grain: benchmark, item_key, leaf_key, kind, trial
-- Answers: Which weight has a leaf when the weights are drawn anew or a leaf is left out?
-- Formula: weights = 200 trials: the children of a node get Dirichlet shares with parameter 20 x
--     abs(weight) (a weight of .25 moves by .09), signs kept, drawn again (up to ten times) if they
--     sum to less than 0.1, divided by the sum; a trial draws alike for all items, so that it is
--     one other scheme. leaf = one trial a leaf: drop of ablated_weight_v1.
-- Missing: no row where an edge has no weight or no draw sums to 0.1.
-- Replaces: none
-- Known issue: none
CREATE OR REPLACE VIEW bench.trial_weight_v1 AS
WITH RECURSIVE edge AS (
    SELECT
        edge_weight.benchmark,
        item.item_key,
        node.node_key,
        node.leaf,
        parent.node_key AS parent_key,
        parent.is_root,
        task_node.position,
        edge_weight.weight,
        round(abs(edge_weight.weight), 9) AS size,
        min(edge_weight.weight) OVER (PARTITION BY item.item_key, parent.node_key)
        < CAST(0 AS DOUBLE) AS has_negative
    FROM bench.edge_weight_v1 AS edge_weight
    INNER JOIN bench.item_number_v1 AS item
        ON item.benchmark = edge_weight.benchmark AND item.item_id = edge_weight.item_id
    INNER JOIN bench.node_number_v1 AS node
        ON
            node.benchmark = edge_weight.benchmark
            AND node.tree = edge_weight.tree
            AND node.node = edge_weight.node
    INNER JOIN bench.node_number_v1 AS parent
        ON
            parent.benchmark = edge_weight.benchmark
            AND parent.tree = edge_weight.tree
            AND parent.node = edge_weight.parent
    INNER JOIN judge.tree_node AS task_node
        ON task_node.tree = edge_weight.tree AND task_node.node = edge_weight.node
    WHERE edge_weight.weight IS NOT NULL
),

shape AS (
    SELECT DISTINCT
        edge.position,
        edge.size,
        edge.has_negative
    FROM edge
),

deviate AS (
    SELECT
        shape.position,
        shape.size,
        shape.has_negative,
        trial.n AS trial,
        attempt.n AS attempt,
        seeded_gamma_v1(
            CAST(20 AS DOUBLE) * shape.size, 100 * (attempt.n + 1), trial.n, shape.position
        ) AS part
    FROM shape
    INNER JOIN run.number AS trial ON trial.n < 200
    INNER JOIN run.number AS attempt
        ON attempt.n < CASE WHEN shape.has_negative THEN 10 ELSE 1 END
),

drawn AS (
    SELECT
        edge.benchmark,
        edge.item_key,
        edge.node_key,
        edge.leaf,
        edge.parent_key,
        edge.is_root,
        deviate.trial,
        deviate.attempt,
        sign(edge.weight) * deviate.part AS part
    FROM edge
    INNER JOIN deviate
        ON
            deviate.position = edge.position
            AND deviate.size = edge.size
            AND deviate.has_negative = edge.has_negative
),

family AS (
    SELECT
        drawn.item_key,
        drawn.parent_key,
        drawn.trial,
        drawn.attempt,
        sum(drawn.part) AS part_sum
    FROM drawn
    GROUP BY drawn.item_key, drawn.parent_key, drawn.trial, drawn.attempt
    HAVING sum(drawn.part) >= CAST(0.1 AS DOUBLE) * sum(abs(drawn.part)) AND sum(drawn.part) > 0
),

first_family AS (
    SELECT
        family.item_key,
        family.parent_key,
        family.trial,
        min(family.attempt) AS attempt,
        min_by(family.part_sum, family.attempt) AS part_sum
    FROM family
    GROUP BY family.item_key, family.parent_key, family.trial
),

drawn_edge AS (
    SELECT
        drawn.benchmark,
        drawn.item_key,
        drawn.node_key,
        drawn.leaf,
        drawn.parent_key,
        drawn.is_root,
        drawn.trial,
        drawn.part / first_family.part_sum AS weight
    FROM drawn
    INNER JOIN first_family
        ON
            first_family.item_key = drawn.item_key
            AND first_family.parent_key = drawn.parent_key
            AND first_family.trial = drawn.trial
            AND first_family.attempt = drawn.attempt
),

path AS (
    SELECT
        drawn_edge.benchmark,
        drawn_edge.item_key,
        drawn_edge.node_key,
        drawn_edge.leaf,
        drawn_edge.trial,
        drawn_edge.weight
    FROM drawn_edge
    WHERE drawn_edge.is_root
    UNION ALL
    SELECT
        path.benchmark,
        path.item_key,
        drawn_edge.node_key,
        drawn_edge.leaf,
        path.trial,
        path.weight * drawn_edge.weight AS weight
    FROM path
    INNER JOIN drawn_edge
        ON
            drawn_edge.item_key = path.item_key
            AND drawn_edge.parent_key = path.node_key
            AND drawn_edge.trial = path.trial
)

SELECT
    path.benchmark,
    path.item_key,
    path.node_key AS leaf_key,
    'weights' AS kind,
    path.trial,
    path.weight
FROM path
WHERE path.leaf IS NOT NULL
UNION ALL
SELECT
    ablated.benchmark,
    item.item_key,
    leaf.node_key AS leaf_key,
    'leaf' AS kind,
    dropped.node_key AS trial,
    ablated.weight
FROM bench.ablated_weight_v1 AS ablated
INNER JOIN bench.item_number_v1 AS item
    ON item.benchmark = ablated.benchmark AND item.item_id = ablated.item_id
INNER JOIN bench.node_number_v1 AS leaf
    ON
        leaf.benchmark = ablated.benchmark
        AND leaf.tree = ablated.tree
        AND leaf.node = ablated.leaf
INNER JOIN bench.node_number_v1 AS dropped
    ON
        dropped.benchmark = ablated.benchmark
        AND dropped.tree = ablated.tree
        AND dropped.node = ablated.node
WHERE ablated.ablation = 'drop' AND dropped.leaf IS NOT NULL AND ablated.weight IS NOT NULL;

COMMENT ON VIEW bench.trial_weight_v1 IS
'Weights of leaves in trials that draw the weights anew or leave a leaf out, over numbers.';
