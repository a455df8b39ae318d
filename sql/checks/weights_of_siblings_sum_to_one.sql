-- Weights under a node do not sum to 1, or only some are there: see bench.edge_weight for the tree.
-- Counts guard what a comparison with NULL would let pass. A refused or never asked negotiation
-- leaves all siblings without weight and is no fault here.
WITH family AS (
    SELECT
        edge_weight.benchmark,
        edge_weight.item_id,
        edge_weight.tree,
        edge_weight.parent,
        count(*) AS n_sibling,
        count(edge_weight.weight) AS n_weight,
        sum(edge_weight.weight) AS weight_sum,
        count(CASE WHEN edge_weight.status = 'sum_not_one' THEN 1 END) AS n_off
    FROM bench.edge_weight_v1 AS edge_weight
    GROUP BY
        edge_weight.benchmark, edge_weight.item_id, edge_weight.tree, edge_weight.parent
)

SELECT
    family.benchmark,
    family.item_id,
    family.tree,
    family.parent,
    family.n_sibling,
    family.n_weight,
    family.weight_sum
FROM family
WHERE
    family.n_off > 0
    OR (family.n_weight > 0 AND family.n_weight < family.n_sibling)
    OR abs(family.weight_sum - 1) > 1e-9;
