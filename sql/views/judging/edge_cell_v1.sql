-- Grain: benchmark, item_id, tree, node, repeat
-- Answers: Which weights does the last run of a benchmark ask a negotiator for, and on which
--     inputs?
-- Formula: accepted items x negotiated nodes of the asked trees that hold for task and genre x
--     repeats of the asked negotiator; the input is the instruction with its grounding and the
--     dimensions (SPEC 4).
-- Missing: no row before a run has asked for a negotiator.
-- Replaces: none
-- Known issue: none
CREATE OR REPLACE VIEW bench.edge_cell_v1 AS
SELECT
    item.benchmark,
    item.item_id,
    task_node.tree,
    task_node.node,
    number.n AS repeat,
    task_node.parent,
    asked.name AS negotiator,
    asked.sampling,
    item.instruction_hash,
    negotiation.dimensions_hash,
    prompt.prompt_hash,
    prompt.prompt_id,
    input_hash_v1(item.instruction_hash, NULL, negotiation.dimensions_hash) AS input_hash,
    parser.parser_version
FROM corpus.item AS item
INNER JOIN bench.task_node_v1 AS task_node
    ON
        task_node.benchmark = item.benchmark
        AND task_node.task = item.task
        AND task_node.genre = item.genre
        AND task_node.weight_rule = 'negotiated'
INNER JOIN run.asked AS asked
    ON asked.benchmark = item.benchmark AND asked.kind = 'negotiator'
INNER JOIN run.number AS number ON number.n < asked.repeats
LEFT JOIN bench.negotiation_v1 AS negotiation
    ON
        negotiation.benchmark = item.benchmark
        AND negotiation.task = task_node.task
        AND negotiation.genre = task_node.genre
        AND negotiation.tree = task_node.tree
        AND negotiation.parent = task_node.parent
        AND negotiation.lang = CASE WHEN item.lang = 'zh' THEN 'zh' ELSE 'en' END
LEFT JOIN judge.prompt AS prompt
    ON
        prompt.task = 'negotiate'
        AND prompt.lang = CASE WHEN item.lang = 'zh' THEN 'zh' ELSE 'en' END
        AND prompt.is_current
LEFT JOIN judge.parser AS parser ON parser.is_current
WHERE item.status = 'accepted';

COMMENT ON VIEW bench.edge_cell_v1 IS
'Weights that the last run of a benchmark asks for, with the hashes of their inputs.';
