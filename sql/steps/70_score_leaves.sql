-- Fills: judge.leaf_score of model leaves: a score per cell of bench.leaf_cell_v1, or why not
-- Command: score
-- Calls: score_leaf, score_rubric, score_plan
CREATE OR REPLACE TABLE pending.cell AS
SELECT
    cell.writing_id,
    cell.leaf,
    cell.reference_mode,
    cell.blocked,
    cell.input_hash,
    cell.parser_version,
    cell.benchmark,
    'score' AS stage,
    cell.judge AS model,
    cell.prompt_id,
    cell.prompt_hash,
    cell.repeat,
    cell.sampling,
    cell.presentation,
    cell.instruction_hash,
    cell.reference_hash,
    cell.text_hash,
    CASE WHEN prompt.dimensions <> '' THEN sha256(prompt.dimensions) END AS dimensions_hash,
    CASE
        WHEN cell.blocked IS NULL
            THEN call_key_v1(
                cell.prompt_id, cell.prompt_hash, cell.judge, cell.sampling, cell.repeat,
                cell.presentation, cell.instruction_hash, cell.reference_hash, cell.text_hash,
                CASE WHEN prompt.dimensions <> '' THEN sha256(prompt.dimensions) END
            )
    END AS call_key
FROM bench.leaf_cell_v1 AS cell
INNER JOIN pending.selected_item AS selected
    ON selected.benchmark = cell.benchmark AND selected.item_id = cell.item_id
INNER JOIN pending.selected_system AS selected_system ON selected_system.system = cell.system
LEFT JOIN judge.prompt AS prompt ON prompt.prompt_id = cell.prompt_id
LEFT JOIN judge.leaf_score AS known
    ON
        known.benchmark = cell.benchmark
        AND known.writing_id = cell.writing_id
        AND known.leaf = cell.leaf
        AND known.judge = cell.judge
        AND known.repeat = cell.repeat
        AND known.reference_mode = cell.reference_mode
        AND known.presentation = cell.presentation
        AND known.prompt_id = cell.prompt_id
        AND known.input_hash = cell.input_hash
        AND known.parser_version = cell.parser_version
LEFT JOIN run.status AS handling
    ON handling.list = 'row' AND handling.status = CAST(known.status AS VARCHAR)
WHERE
    cell.kind = 'model'
    AND (
        known.writing_id IS NULL
        OR (handling.handling = 'recompute' AND cell.blocked IS NULL)
        OR CAST(known.status AS VARCHAR) IN (
            SELECT reopened.status FROM pending.reopened AS reopened
        )
    );

-- Each form of reply has its function.
INSERT INTO pending.answer BY NAME
SELECT
    called.answer.call_key,
    called.answer.value,
    called.answer.status,
    called.answer.reason,
    called.answer.rationale
FROM (
    SELECT
        score_leaf(
            request.call_key, request.model, request.prompt_id, request.repeat,
            request.sampling, request.presentation, request.instruction, request.reference,
            request.text, request.dimensions
        ) AS answer
    FROM pending.request AS request
    WHERE
        request.prompt_id IN (
            SELECT prompt.prompt_id FROM judge.prompt AS prompt
            WHERE prompt.reply = 'leaf_score_v1'
        )
) AS called;

INSERT INTO pending.answer BY NAME
SELECT
    called.answer.call_key,
    called.answer.value,
    called.answer.status,
    called.answer.reason,
    called.answer.rationale
FROM (
    SELECT
        score_rubric(
            request.call_key, request.model, request.prompt_id, request.repeat,
            request.sampling, request.presentation, request.instruction, request.reference,
            request.text, request.dimensions
        ) AS answer
    FROM pending.request AS request
    WHERE
        request.prompt_id IN (
            SELECT prompt.prompt_id FROM judge.prompt AS prompt
            WHERE prompt.reply = 'rubric_scores_v1'
        )
) AS called;

INSERT INTO pending.answer BY NAME
SELECT
    called.answer.call_key,
    called.answer.value,
    called.answer.status,
    called.answer.reason,
    called.answer.rationale
FROM (
    SELECT
        score_plan(
            request.call_key, request.model, request.prompt_id, request.repeat,
            request.sampling, request.presentation, request.instruction, request.reference,
            request.text, request.dimensions
        ) AS answer
    FROM pending.request AS request
    WHERE
        request.prompt_id IN (
            SELECT prompt.prompt_id FROM judge.prompt AS prompt
            WHERE prompt.reply = 'plan_v1'
        )
) AS called;

-- Rows that are asked again are replaced; stored replies make this repeatable after a kill.
DELETE FROM judge.leaf_score
USING pending.cell AS cell
WHERE
    cell.benchmark = leaf_score.benchmark
    AND cell.writing_id = leaf_score.writing_id
    AND cell.leaf = leaf_score.leaf
    AND cell.model = leaf_score.judge
    AND cell.repeat = leaf_score.repeat
    AND cell.reference_mode = leaf_score.reference_mode
    AND cell.presentation = leaf_score.presentation
    AND cell.prompt_id = leaf_score.prompt_id
    AND cell.input_hash = leaf_score.input_hash
    AND cell.parser_version = leaf_score.parser_version;

INSERT INTO judge.leaf_score BY NAME
SELECT
    cell.benchmark,
    cell.writing_id,
    cell.leaf,
    cell.model AS judge,
    cell.repeat,
    cell.reference_mode,
    cell.presentation,
    cell.prompt_id,
    cell.input_hash,
    cell.parser_version,
    CAST(settled.value ->> '$.score' AS DOUBLE) AS score,
    coalesce(cell.blocked, settled.status) AS status,
    settled.reason,
    settled.rationale,
    cell.call_key,
    run.run_id
FROM pending.cell AS cell
LEFT JOIN pending.settled AS settled ON settled.call_key = cell.call_key
CROSS JOIN pending.run AS run
WHERE cell.blocked IS NOT NULL OR settled.call_key IS NOT NULL;
