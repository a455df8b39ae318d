-- Fills: judge.edge_weight: a weight per negotiated node, item and asked tree, or why there is none
-- Command: score
-- Calls: negotiate_weights
CREATE OR REPLACE TABLE pending.cell AS
WITH open_node AS (
    SELECT
        known.benchmark,
        known.item_id,
        known.tree,
        known.parent,
        known.repeat
    FROM bench.edge_answer_v1 AS known
    WHERE
        known.status = 'never_asked'
        OR known.status IN (SELECT reopened.status FROM pending.reopened AS reopened)
)

-- One call weighs all negotiated children of a node.
SELECT DISTINCT
    cell.item_id,
    cell.tree,
    cell.parent,
    cell.input_hash,
    cell.parser_version,
    cell.benchmark,
    'negotiate' AS stage,
    cell.negotiator AS model,
    cell.prompt_id,
    cell.prompt_hash,
    cell.repeat,
    cell.sampling,
    'single' AS presentation,
    cell.instruction_hash,
    CAST(NULL AS VARCHAR) AS reference_hash,
    CAST(NULL AS VARCHAR) AS text_hash,
    cell.dimensions_hash,
    call_key_v1(
        cell.prompt_id, cell.prompt_hash, cell.negotiator, cell.sampling, cell.repeat,
        'single', cell.instruction_hash, NULL, NULL, cell.dimensions_hash
    ) AS call_key
FROM bench.edge_cell_v1 AS cell
INNER JOIN pending.selected_item AS selected
    ON selected.benchmark = cell.benchmark AND selected.item_id = cell.item_id
INNER JOIN open_node
    ON
        open_node.benchmark = cell.benchmark
        AND open_node.item_id = cell.item_id
        AND open_node.tree = cell.tree
        AND open_node.parent = cell.parent
        AND open_node.repeat = cell.repeat;

INSERT INTO pending.answer BY NAME
SELECT
    called.answer.call_key,
    called.answer.value,
    called.answer.status,
    called.answer.reason,
    called.answer.rationale
FROM (
    SELECT
        negotiate_weights(
            request.call_key, request.model, request.prompt_id, request.repeat,
            request.sampling, request.presentation, request.instruction, request.reference,
            request.text, request.dimensions
        ) AS answer
    FROM pending.request AS request
) AS called;

-- Rows that are asked again are replaced; stored replies make this repeatable after a kill.
CREATE OR REPLACE TABLE pending.negotiated AS
SELECT
    cell.benchmark,
    cell.item_id,
    cell.tree,
    edge_cell.node,
    cell.model AS negotiator,
    cell.repeat,
    cell.prompt_id,
    cell.input_hash,
    cell.parser_version,
    CAST(json_extract_string(settled.value, concat('$."', edge_cell.node, '"')) AS DOUBLE)
        AS weight,
    settled.status,
    settled.reason,
    cell.call_key
FROM pending.cell AS cell
INNER JOIN pending.settled AS settled ON settled.call_key = cell.call_key
INNER JOIN bench.edge_cell_v1 AS edge_cell
    ON
        edge_cell.benchmark = cell.benchmark
        AND edge_cell.item_id = cell.item_id
        AND edge_cell.tree = cell.tree
        AND edge_cell.parent = cell.parent
        AND edge_cell.repeat = cell.repeat;

DELETE FROM judge.edge_weight
USING pending.negotiated AS negotiated
WHERE
    negotiated.benchmark = edge_weight.benchmark
    AND negotiated.item_id = edge_weight.item_id
    AND negotiated.tree = edge_weight.tree
    AND negotiated.node = edge_weight.node
    AND negotiated.negotiator = edge_weight.negotiator
    AND negotiated.repeat = edge_weight.repeat
    AND negotiated.prompt_id = edge_weight.prompt_id
    AND negotiated.input_hash = edge_weight.input_hash
    AND negotiated.parser_version = edge_weight.parser_version;

INSERT INTO judge.edge_weight BY NAME
SELECT
    negotiated.benchmark,
    negotiated.item_id,
    negotiated.tree,
    negotiated.node,
    negotiated.negotiator,
    negotiated.repeat,
    negotiated.prompt_id,
    negotiated.input_hash,
    negotiated.parser_version,
    negotiated.weight,
    negotiated.status,
    negotiated.reason,
    negotiated.call_key,
    run.run_id
FROM pending.negotiated AS negotiated
CROSS JOIN pending.run AS run;
