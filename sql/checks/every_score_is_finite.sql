-- A score or weight is infinite or no number: look at the node's map and weight in schemas/trees.
WITH number AS (
    SELECT
        'edge_weight' AS view,
        edge_weight.tree,
        edge_weight.item_id AS id,
        edge_weight.weight AS value
    FROM bench.edge_weight_v1 AS edge_weight
    UNION ALL
    SELECT
        'leaf_value' AS view,
        leaf_value.tree,
        leaf_value.writing_id AS id,
        leaf_value.value
    FROM bench.leaf_value_v1 AS leaf_value
    UNION ALL
    SELECT
        'score_bounds' AS view,
        bounds.tree,
        bounds.writing_id AS id,
        bounds.score_high - bounds.score_low AS value
    FROM bench.score_bounds_v1 AS bounds
)

SELECT
    number.view,
    number.tree,
    number.id,
    number.value
FROM number
WHERE NOT isfinite(number.value);
