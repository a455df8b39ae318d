-- Fills: corpus.annotation of stage quality: 1-5 per dimension of the genre's rubric and overall;
--     corpus.document.status below_quality
-- Command: corpus
-- Calls: filter_quality
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
WHERE cell.stage = 'quality';

INSERT INTO pending.answer BY NAME
SELECT
    called.answer.call_key,
    called.answer.value,
    called.answer.status,
    called.answer.reason,
    called.answer.rationale
FROM (
    SELECT
        filter_quality(
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

-- One row per field: the overall score and each dimension that the reply names.
field AS (
    SELECT
        answer.document_id,
        'overall' AS key,
        answer.value ->> '$.overall' AS value
    FROM answer
    UNION ALL
    SELECT
        named.document_id,
        named.key,
        json_extract_string(named.value, concat('$.dimensions."', named.key, '"')) AS value
    FROM (
        SELECT
            answer.document_id,
            answer.value,
            unnest(json_keys(answer.value, '$.dimensions')) AS key
        FROM answer
    ) AS named
)

SELECT
    answer.document_id,
    answer.stage,
    field.key,
    field.value,
    answer.model,
    answer.prompt_id,
    answer.input_hash,
    answer.parser_version,
    answer.status,
    answer.reason,
    answer.call_key,
    run.run_id
FROM answer
INNER JOIN field ON field.document_id = answer.document_id
CROSS JOIN pending.run AS run;

-- Overall 4 and better is kept (HoWToBench 4.2); an unknown quality is neither kept nor dropped.
UPDATE corpus.document
SET
    status = CASE WHEN label.quality < 4 THEN 'below_quality' ELSE 'ok' END,
    reason = CASE
        WHEN label.quality < 4 THEN concat('quality ', CAST(label.quality AS VARCHAR))
    END
FROM bench.document_label_v1 AS label
WHERE
    label.document_id = document.document_id
    AND label.quality IS NOT NULL
    AND document.status IN ('ok', 'below_quality')
    AND (document.status = 'below_quality') <> (label.quality < 4);
