-- A negotiated weight is stored twice: delete all but one of these rows of judge.edge_weight.
SELECT
    edge_weight.benchmark,
    edge_weight.item_id,
    edge_weight.tree,
    edge_weight.node,
    edge_weight.negotiator,
    edge_weight.repeat,
    edge_weight.prompt_id,
    edge_weight.input_hash,
    edge_weight.parser_version,
    count(*) AS n
FROM judge.edge_weight AS edge_weight
GROUP BY
    edge_weight.benchmark,
    edge_weight.item_id,
    edge_weight.tree,
    edge_weight.node,
    edge_weight.negotiator,
    edge_weight.repeat,
    edge_weight.prompt_id,
    edge_weight.input_hash,
    edge_weight.parser_version
HAVING count(*) > 1;
