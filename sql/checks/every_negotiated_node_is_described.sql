-- A negotiator would weigh a node by its bare name: describe it for the prompt negotiate.
SELECT DISTINCT
    task_node.tree,
    task_node.node,
    prompt.lang
FROM bench.task_node_v1 AS task_node
INNER JOIN judge.prompt AS prompt ON prompt.task = 'negotiate' AND prompt.is_current
LEFT JOIN judge.dimension AS dimension
    ON dimension.dimension = task_node.node AND dimension.lang = prompt.lang
WHERE task_node.weight_rule = 'negotiated' AND coalesce(dimension.description, '') = '';
