-- Grain: benchmark, writing_id, tree, node, judge, reference_mode, presentation, repeat
-- Answers: What did a judge say of a leaf of a writing, in words and numbers, and what did it
--     count for?
-- Formula: the current row of every cell of leaf_answer_v1, once per asked tree that has the leaf;
--     value = score on the node's scale, weight = path weight from the root, anchor = score the
--     prompt gives the reference.
-- Missing: status says why there is no score, never_asked where there is no row; weight is NULL
--     where the item has no negotiated weights.
-- Replaces: none
-- Known issue: none
CREATE OR REPLACE VIEW bench.judgement_v1 AS
SELECT
    answer.benchmark,
    answer.writing_id,
    task_node.tree,
    task_node.node,
    answer.judge,
    answer.reference_mode,
    answer.presentation,
    answer.repeat,
    answer.item_id,
    answer.system,
    answer.system = 'reference' AS is_control,
    answer.task,
    answer.genre,
    item.lang,
    answer.leaf,
    judged_instruction_v1(item.instruction, item.grounding) AS instruction,
    substr(writing.judged_text, 1, 200) AS text_excerpt,
    length(writing.judged_text) AS n_character,
    answer.score,
    map_score_v1(answer.score, task_node.map, task_node.map_args) AS value,
    path.weight,
    prompt.anchor,
    answer.rationale,
    answer.status,
    answer.reason,
    answer.prompt_id,
    answer.parser_version,
    answer.call_key,
    answer.run_id
FROM bench.leaf_answer_v1 AS answer
INNER JOIN corpus.item AS item
    ON item.benchmark = answer.benchmark AND item.item_id = answer.item_id
INNER JOIN corpus.writing AS writing
    ON writing.benchmark = answer.benchmark AND writing.writing_id = answer.writing_id
INNER JOIN bench.task_node_v1 AS task_node
    ON
        task_node.benchmark = answer.benchmark
        AND task_node.task = answer.task
        AND task_node.genre = answer.genre
        AND task_node.leaf = answer.leaf
LEFT JOIN bench.path_weight_v1 AS path
    ON
        path.benchmark = answer.benchmark
        AND path.item_id = answer.item_id
        AND path.tree = task_node.tree
        AND path.descendant = task_node.node
        AND path.is_root_path
LEFT JOIN judge.prompt AS prompt ON prompt.prompt_id = answer.prompt_id
WHERE answer.perturbation IS NULL;

COMMENT ON VIEW bench.judgement_v1 IS
'One flat row per judged leaf with its words, score, weight and anchor.';
