-- Grain: benchmark, item_id, tree, node, repeat
-- Answers: What is known of each weight that the last run of a benchmark asks a negotiator for?
-- Formula: cells of edge_cell_v1 with their current row of judge.edge_weight: same key, prompt,
--     input hash and parser version.
-- Missing: status of a cell without a row is never_asked.
-- Replaces: none
-- Known issue: none
CREATE OR REPLACE VIEW bench.edge_answer_v1 AS
SELECT
    cell.benchmark,
    cell.item_id,
    cell.tree,
    cell.node,
    cell.parent,
    cell.repeat,
    cell.negotiator,
    edge_weight.weight,
    coalesce(CAST(edge_weight.status AS VARCHAR), 'never_asked') AS status,
    edge_weight.call_key
FROM bench.edge_cell_v1 AS cell
LEFT JOIN judge.edge_weight AS edge_weight
    ON
        edge_weight.benchmark = cell.benchmark
        AND edge_weight.item_id = cell.item_id
        AND edge_weight.tree = cell.tree
        AND edge_weight.node = cell.node
        AND edge_weight.negotiator = cell.negotiator
        AND edge_weight.repeat = cell.repeat
        AND edge_weight.prompt_id = cell.prompt_id
        AND edge_weight.input_hash = cell.input_hash
        AND edge_weight.parser_version = cell.parser_version;

COMMENT ON VIEW bench.edge_answer_v1 IS
'Every weight asked for with its value and status, or why there is none.';
