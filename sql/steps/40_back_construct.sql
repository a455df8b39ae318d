-- Fills: corpus.annotation of stage construct: summary, theme and traits of every kept document
-- Command: corpus
-- Calls: back_construct
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
WHERE cell.stage = 'construct';

INSERT INTO pending.answer BY NAME
SELECT
    called.answer.call_key,
    called.answer.value,
    called.answer.status,
    called.answer.reason,
    called.answer.rationale
FROM (
    SELECT
        back_construct(
            request.call_key, request.model, request.prompt_id, request.repeat,
            request.sampling, request.presentation, request.instruction, request.reference,
            request.text, request.dimensions
        ) AS answer
    FROM pending.request AS request
) AS called;

INSERT OR REPLACE INTO corpus.annotation BY NAME
WITH answer AS (
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
    INNER JOIN pending.settled AS settled ON settled.call_key = cell.call_key
),

field AS (
    SELECT unnest(['summary', 'theme', 'traits']) AS key
)

SELECT
    answer.document_id,
    answer.stage,
    field.key,
    json_extract_string(answer.value, concat('$.', field.key)) AS value,
    answer.model,
    answer.prompt_id,
    answer.input_hash,
    answer.parser_version,
    answer.status,
    answer.reason,
    answer.call_key,
    run.run_id
FROM answer
CROSS JOIN field
CROSS JOIN pending.run AS run;
