-- Run by every call step once `pending.cell` is filled: what is stored for its keys, and the next
-- batch of keys that still want an answer, which `pending.request` joins with their texts.

-- A hit is never asked again, but by RETRY.
CREATE OR REPLACE TABLE pending.stored AS
SELECT
    hit.call_key,
    CASE WHEN hit.status = 'ok' THEN reply.status ELSE hit.status END AS status,
    reply.reason,
    CASE WHEN reply.status IN ('ok', 'repaired') THEN reply.value END AS value,
    reply.rationale
FROM ledger.hit AS hit
LEFT JOIN ledger.reply AS reply
    ON
        reply.call_key = hit.call_key
        AND reply.attempt_id = hit.attempt_id
        AND reply.parser_version = (
            SELECT parser.parser_version
            FROM towbench.judge.parser AS parser
            WHERE parser.is_current
        )
WHERE hit.call_key IN (SELECT cell.call_key FROM pending.cell AS cell);

-- Requests about one item follow each other: what is read of its texts is read once.
CREATE OR REPLACE TABLE pending.open_request AS
WITH open_cell AS (
    SELECT
        cell.call_key,
        any_value(cell.benchmark) AS benchmark,
        any_value(cell.stage) AS stage,
        any_value(cell.model) AS model,
        any_value(cell.prompt_id) AS prompt_id,
        any_value(cell.prompt_hash) AS prompt_hash,
        any_value(cell.repeat) AS repeat,
        any_value(cell.sampling) AS sampling,
        any_value(cell.presentation) AS presentation,
        any_value(cell.instruction_hash) AS instruction_hash,
        any_value(cell.reference_hash) AS reference_hash,
        any_value(cell.text_hash) AS text_hash,
        any_value(cell.dimensions_hash) AS dimensions_hash
    FROM pending.cell AS cell
    WHERE cell.call_key IS NOT NULL
    GROUP BY cell.call_key
)

SELECT
    open_cell.call_key,
    open_cell.benchmark,
    open_cell.stage,
    open_cell.model,
    open_cell.prompt_id,
    open_cell.prompt_hash,
    open_cell.repeat,
    open_cell.sampling,
    open_cell.presentation,
    open_cell.instruction_hash,
    open_cell.reference_hash,
    open_cell.text_hash,
    open_cell.dimensions_hash
FROM open_cell
LEFT JOIN pending.stored AS stored ON stored.call_key = open_cell.call_key
LEFT JOIN pending.answer AS answer ON answer.call_key = open_cell.call_key
WHERE
    answer.call_key IS NULL
    AND (
        stored.call_key IS NULL
        OR stored.status IN (SELECT retry.status FROM pending.retry AS retry)
    )
ORDER BY
    open_cell.instruction_hash, open_cell.reference_hash, open_cell.text_hash, open_cell.call_key
LIMIT 50000;

-- Texts that the ledger does not hold yet.
INSERT INTO ledger.text BY NAME
WITH used AS (
    SELECT open_request.instruction_hash AS hash FROM pending.open_request AS open_request
    UNION
    SELECT open_request.reference_hash FROM pending.open_request AS open_request
    UNION
    SELECT open_request.text_hash FROM pending.open_request AS open_request
    UNION
    SELECT open_request.dimensions_hash FROM pending.open_request AS open_request
    UNION
    SELECT open_request.prompt_hash FROM pending.open_request AS open_request
)

SELECT
    source.hash,
    any_value(source.text) AS text
FROM towbench.bench.text_v1 AS source
WHERE
    source.hash IN (SELECT used.hash FROM used)
    AND source.hash NOT IN (SELECT known.hash FROM ledger.text AS known)
GROUP BY source.hash;

INSERT INTO ledger.request BY NAME
SELECT
    open_request.call_key,
    open_request.benchmark,
    open_request.stage,
    open_request.model,
    open_request.prompt_id,
    open_request.prompt_hash,
    open_request.repeat,
    open_request.sampling,
    open_request.presentation,
    open_request.instruction_hash,
    open_request.reference_hash,
    open_request.text_hash,
    open_request.dimensions_hash
FROM pending.open_request AS open_request
WHERE open_request.call_key NOT IN (SELECT known.call_key FROM ledger.request AS known);
