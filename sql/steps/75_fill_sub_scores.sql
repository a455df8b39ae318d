-- Fills: judge.sub_score: the dimensions that replies of more than one value named, each with its
--     share (auto-plan) and score
-- Command: score
-- The rows are copies of stored replies: where another reply is current now, its rows take the
-- place of the old ones, and the old reply stays in judge.reply.
CREATE OR REPLACE TABLE pending.part_cell AS
SELECT
    answer.benchmark,
    answer.writing_id,
    task_node.tree,
    answer.judge,
    answer.repeat,
    answer.reference_mode,
    answer.presentation,
    answer.status,
    answer.call_key
FROM bench.leaf_answer_v1 AS answer
INNER JOIN judge.prompt AS prompt ON prompt.prompt_id = answer.prompt_id
INNER JOIN bench.task_node_v1 AS task_node
    ON
        task_node.benchmark = answer.benchmark
        AND task_node.task = answer.task
        AND task_node.genre = answer.genre
        AND task_node.leaf = answer.leaf
WHERE prompt.reply IN ('rubric_scores_v1', 'plan_v1');

DELETE FROM judge.sub_score
USING pending.part_cell AS cell
WHERE
    cell.benchmark = sub_score.benchmark
    AND cell.writing_id = sub_score.writing_id
    AND cell.tree = sub_score.tree
    AND cell.judge = sub_score.judge
    AND cell.repeat = sub_score.repeat
    AND cell.reference_mode = sub_score.reference_mode
    AND cell.presentation = sub_score.presentation
    AND cell.call_key IS DISTINCT FROM sub_score.call_key;

INSERT INTO judge.sub_score BY NAME
WITH open_cell AS (
    SELECT
        cell.benchmark,
        cell.writing_id,
        cell.tree,
        cell.judge,
        cell.repeat,
        cell.reference_mode,
        cell.presentation,
        cell.status,
        cell.call_key
    FROM pending.part_cell AS cell
    WHERE
        cell.status IN ('ok', 'repaired')
        AND NOT EXISTS (
            SELECT 1
            FROM judge.sub_score AS known
            WHERE
                known.benchmark = cell.benchmark
                AND known.writing_id = cell.writing_id
                AND known.tree = cell.tree
                AND known.judge = cell.judge
                AND known.repeat = cell.repeat
                AND known.reference_mode = cell.reference_mode
                AND known.presentation = cell.presentation
        )
),

part AS (
    SELECT
        reply.call_key,
        unnest(from_json(json_extract(reply.value, '$.parts'), '["JSON"]')) AS part
    FROM ledger.hit AS hit
    INNER JOIN ledger.reply AS reply
        ON reply.call_key = hit.call_key AND reply.attempt_id = hit.attempt_id
    INNER JOIN judge.parser AS parser
        ON parser.parser_version = reply.parser_version AND parser.is_current
    WHERE hit.call_key IN (SELECT open_cell.call_key FROM open_cell)
)

SELECT
    open_cell.benchmark,
    open_cell.writing_id,
    open_cell.tree,
    open_cell.judge,
    open_cell.repeat,
    open_cell.reference_mode,
    open_cell.presentation,
    json_extract_string(part.part, '$.name') AS dimension,
    CAST(json_extract_string(part.part, '$.share') AS DOUBLE) AS share,
    CAST(json_extract_string(part.part, '$.score') AS DOUBLE) AS score,
    open_cell.status,
    open_cell.call_key,
    run.run_id
FROM open_cell
INNER JOIN part ON part.call_key = open_cell.call_key
CROSS JOIN pending.run AS run;
