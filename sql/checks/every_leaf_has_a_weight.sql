-- A node has no weight and no reason for it: run make score, or mend the tree.
WITH family AS (
    SELECT
        edge_weight.benchmark,
        edge_weight.item_id,
        edge_weight.tree,
        edge_weight.node,
        edge_weight.weight_rule,
        edge_weight.rule_weight,
        edge_weight.status,
        count(CASE WHEN edge_weight.status <> 'never_asked' THEN 1 END) OVER (
            PARTITION BY
                edge_weight.benchmark, edge_weight.item_id, edge_weight.tree, edge_weight.parent,
                edge_weight.weight_rule
        ) AS n_answered
    FROM bench.edge_weight_v1 AS edge_weight
)

SELECT
    family.benchmark,
    family.item_id,
    family.tree,
    family.node,
    family.weight_rule,
    family.status
FROM family
WHERE
    (family.status = 'never_asked' AND family.n_answered > 0)
    OR (family.weight_rule IN ('fixed', 'leaf_count') AND family.rule_weight IS NULL);
