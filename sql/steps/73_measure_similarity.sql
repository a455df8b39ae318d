-- Fills: judge.metric_score of similarity: the cosine of the vectors of two texts, or why not
-- Command: score
-- Calls: embed_text
-- A pair has two cells, one a text; equal texts have one call key.
CREATE OR REPLACE TABLE pending.cell AS
WITH wanted AS (
    SELECT
        cell.benchmark,
        cell.writing_id,
        cell.metric,
        cell.reference_mode,
        cell.blocked,
        cell.input_hash,
        cell.metric_version,
        side.side,
        replace(cell.metric, 'similarity:', '') AS model,
        cell.sampling,
        prompt.prompt_id,
        prompt.prompt_hash,
        CASE WHEN side.side = 'text' THEN cell.text_hash ELSE cell.reference_hash END
            AS text_hash
    FROM pending.metric_cell AS cell
    INNER JOIN judge.prompt AS prompt
        ON prompt.task = 'embed' AND prompt.lang = cell.lang AND prompt.is_current
    CROSS JOIN (VALUES ('text'), ('reference')) AS side (side)
    WHERE cell.metric_version = 'cosine_v1'
)

SELECT
    wanted.benchmark,
    wanted.writing_id,
    wanted.metric,
    wanted.reference_mode,
    wanted.side,
    wanted.blocked,
    wanted.input_hash,
    wanted.metric_version,
    'embed' AS stage,
    wanted.model,
    wanted.prompt_id,
    wanted.prompt_hash,
    0 AS repeat,
    wanted.sampling,
    'single' AS presentation,
    CAST(NULL AS VARCHAR) AS instruction_hash,
    CAST(NULL AS VARCHAR) AS reference_hash,
    wanted.text_hash,
    CAST(NULL AS VARCHAR) AS dimensions_hash,
    CASE
        WHEN wanted.blocked IS NULL
            THEN call_key_v1(
                wanted.prompt_id, wanted.prompt_hash, wanted.model, wanted.sampling, 0, 'single',
                NULL, NULL, wanted.text_hash, NULL
            )
    END AS call_key
FROM wanted;

INSERT INTO pending.answer BY NAME
SELECT
    called.answer.call_key,
    called.answer.value,
    called.answer.status,
    called.answer.reason,
    called.answer.rationale
FROM (
    SELECT
        embed_text(
            request.call_key, request.model, request.prompt_id, request.repeat,
            request.sampling, request.presentation, request.instruction, request.reference,
            request.text, request.dimensions
        ) AS answer
    FROM pending.request AS request
) AS called;

CREATE OR REPLACE TABLE pending.similarity_pair AS
SELECT
    body.benchmark,
    body.writing_id,
    body.metric,
    body.reference_mode,
    body.blocked,
    body.input_hash,
    body.metric_version,
    body.call_key,
    reference.call_key AS reference_call_key
FROM pending.cell AS body
INNER JOIN pending.cell AS reference
    ON
        reference.benchmark = body.benchmark
        AND reference.writing_id = body.writing_id
        AND reference.metric = body.metric
        AND reference.reference_mode = body.reference_mode
WHERE body.side = 'text' AND reference.side = 'reference';

CREATE OR REPLACE TABLE pending.similarity AS
WITH pair AS (
    SELECT DISTINCT
        pair.call_key,
        pair.reference_call_key
    FROM pending.similarity_pair AS pair
    WHERE pair.blocked IS NULL
)

SELECT
    called.call_key,
    called.reference_call_key,
    called.found
FROM (
    SELECT
        pair.call_key,
        pair.reference_call_key,
        measure_similarity(body.value, reference.value) AS found
    FROM pair
    INNER JOIN pending.settled AS body ON body.call_key = pair.call_key
    INNER JOIN pending.settled AS reference ON reference.call_key = pair.reference_call_key
    WHERE body.value IS NOT NULL AND reference.value IS NOT NULL
) AS called;

-- A text without a vector is why its pairs have no number.
INSERT OR REPLACE INTO judge.metric_score BY NAME
SELECT
    pair.benchmark,
    pair.writing_id,
    pair.metric,
    pair.reference_mode,
    similarity.found.score,
    CASE
        WHEN pair.blocked IS NOT NULL THEN pair.blocked
        WHEN body.value IS NULL THEN body.status
        WHEN reference.value IS NULL THEN reference.status
        ELSE similarity.found.status
    END AS status,
    CASE
        WHEN pair.blocked IS NOT NULL THEN NULL
        WHEN body.value IS NULL THEN body.reason
        WHEN reference.value IS NULL THEN concat_ws(': ', 'reference', reference.reason)
        ELSE similarity.found.reason
    END AS reason,
    pair.input_hash,
    pair.metric_version,
    pair.call_key,
    pair.reference_call_key,
    run.run_id
FROM pending.similarity_pair AS pair
LEFT JOIN pending.settled AS body ON body.call_key = pair.call_key
LEFT JOIN pending.settled AS reference ON reference.call_key = pair.reference_call_key
LEFT JOIN pending.similarity AS similarity
    ON
        similarity.call_key = pair.call_key
        AND similarity.reference_call_key = pair.reference_call_key
CROSS JOIN pending.run AS run
WHERE
    pair.blocked IS NOT NULL
    OR (body.call_key IS NOT NULL AND reference.call_key IS NOT NULL);
