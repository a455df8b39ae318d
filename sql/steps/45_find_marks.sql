-- Fills: corpus.annotation of stage marks, corpus.mark: what a model asked for (MARKER) points out
--     in every kept document
-- Command: corpus
-- Calls: find_marks
CREATE OR REPLACE TABLE pending.cell AS
SELECT
    cell.document_id,
    cell.benchmark,
    cell.stage,
    cell.model,
    cell.prompt_id,
    cell.prompt_hash,
    cell.repeat,
    cell.sampling,
    cell.presentation,
    cell.instruction_hash,
    cell.reference_hash,
    cell.text_hash,
    cell.dimensions_hash,
    cell.parser_version,
    cell.call_key
FROM pending.annotation_cell AS cell
WHERE cell.stage = 'marks';

INSERT INTO pending.answer BY NAME
SELECT
    called.answer.call_key,
    called.answer.value,
    called.answer.status,
    called.answer.reason,
    called.answer.rationale
FROM (
    SELECT
        find_marks(
            request.call_key, request.model, request.prompt_id, request.repeat,
            request.sampling, request.presentation, request.instruction, request.reference,
            request.text, request.dimensions
        ) AS answer
    FROM pending.request AS request
) AS called;

CREATE OR REPLACE TABLE pending.marks_answer AS
SELECT
    cell.document_id,
    cell.stage,
    cell.model,
    cell.prompt_id,
    cell.text_hash AS input_hash,
    cell.parser_version,
    cell.call_key,
    settled.value,
    settled.status,
    settled.reason
FROM pending.cell AS cell
INNER JOIN pending.settled AS settled ON settled.call_key = cell.call_key;

-- A passage is marked where it first stands; one that the text does not hold is only counted.
INSERT OR REPLACE INTO corpus.mark BY NAME
WITH given AS (
    SELECT
        answer.input_hash AS text_hash,
        concat(answer.prompt_id, '@', answer.model) AS mark_version,
        unnest(CAST(json_extract(answer.value, '$.marks') AS JSON[])) AS mark
    FROM pending.marks_answer AS answer
    WHERE answer.value IS NOT NULL
),

named AS (
    SELECT DISTINCT
        given.text_hash,
        given.mark_version,
        given.mark ->> '$.kind' AS kind,
        given.mark ->> '$.quote' AS quote
    FROM given
),

placed AS (
    SELECT
        named.text_hash,
        named.mark_version,
        named.kind,
        named.quote,
        strpos(document.text, named.quote) - 1 AS start_at
    FROM named
    INNER JOIN corpus.document AS document ON document.text_hash = named.text_hash
    WHERE strpos(document.text, named.quote) > 0
    QUALIFY
        row_number() OVER (
            PARTITION BY
                named.text_hash, named.mark_version, named.kind, strpos(document.text, named.quote)
            ORDER BY length(named.quote) DESC, document.document_id
        ) = 1
)

SELECT
    placed.text_hash,
    placed.mark_version,
    concat(placed.kind, '_model') AS kind,
    placed.start_at,
    placed.start_at + length(placed.quote) AS end_at,
    -- What is personal is hidden, as the rules do.
    CASE
        WHEN placed.kind <> 'pii' THEN left(placed.quote, 40)
        WHEN length(placed.quote) > 2
            THEN concat(
                left(placed.quote, 1),
                repeat('*', length(placed.quote) - 2),
                right(placed.quote, 1)
            )
        ELSE concat(left(placed.quote, 1), '*')
    END AS excerpt
FROM placed;

-- The passages stand in corpus.mark alone, which no release holds.
INSERT OR REPLACE INTO corpus.annotation BY NAME
SELECT
    answer.document_id,
    answer.stage,
    'n_mark' AS key,
    CAST(json_array_length(answer.value, '$.marks') AS VARCHAR) AS value,
    answer.model,
    answer.prompt_id,
    answer.input_hash,
    answer.parser_version,
    answer.status,
    answer.reason,
    answer.call_key,
    run.run_id
FROM pending.marks_answer AS answer
CROSS JOIN pending.run AS run;
