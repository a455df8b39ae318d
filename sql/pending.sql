-- Views over the scratch tables that every call step shares: which keys still want an answer, and
-- what is known of those that have one.

-- What is stored for a key; a hit is never asked again, but by RETRY.
CREATE OR REPLACE VIEW pending.stored AS
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
        );

CREATE OR REPLACE VIEW pending.open_key AS
SELECT DISTINCT cell.call_key
FROM pending.cell AS cell
LEFT JOIN pending.stored AS stored ON stored.call_key = cell.call_key
WHERE
    cell.call_key IS NOT NULL
    AND (
        stored.call_key IS NULL
        OR stored.status IN (SELECT retry.status FROM pending.retry AS retry)
    )
    AND cell.call_key NOT IN (SELECT answer.call_key FROM pending.answer AS answer);

CREATE OR REPLACE VIEW pending.open_request AS
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
INNER JOIN pending.open_key AS open_key ON open_key.call_key = cell.call_key
GROUP BY cell.call_key;

-- Texts that the ledger does not hold yet.
CREATE OR REPLACE VIEW pending.new_text AS
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

CREATE OR REPLACE VIEW pending.new_request AS
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

-- The next batch of open requests with their texts.
CREATE OR REPLACE VIEW pending.next_request AS
WITH batch AS (
    SELECT
        open_request.call_key,
        open_request.model,
        open_request.prompt_id,
        open_request.repeat,
        open_request.sampling,
        open_request.presentation,
        open_request.instruction_hash,
        open_request.reference_hash,
        open_request.text_hash,
        open_request.dimensions_hash
    FROM pending.open_request AS open_request
    ORDER BY open_request.text_hash, open_request.call_key
    LIMIT 50000
)

SELECT
    batch.call_key,
    batch.model,
    batch.prompt_id,
    batch.repeat,
    batch.sampling,
    batch.presentation,
    instruction.text AS instruction,
    reference.text AS reference,
    body.text,
    dimensions.text AS dimensions
FROM batch
LEFT JOIN ledger.text AS instruction ON instruction.hash = batch.instruction_hash
LEFT JOIN ledger.text AS reference ON reference.hash = batch.reference_hash
LEFT JOIN ledger.text AS body ON body.hash = batch.text_hash
LEFT JOIN ledger.text AS dimensions ON dimensions.hash = batch.dimensions_hash
ORDER BY batch.text_hash, batch.call_key;

-- Stored replies first; an answer of this run counts where nothing is stored (failures).
CREATE OR REPLACE VIEW pending.settled AS
SELECT
    stored.call_key,
    stored.status,
    stored.reason,
    stored.value,
    stored.rationale
FROM pending.stored AS stored
UNION ALL
SELECT
    answer.call_key,
    answer.status,
    answer.reason,
    CASE WHEN answer.status IN ('ok', 'repaired') THEN answer.value END AS value,
    answer.rationale
FROM pending.answer AS answer
WHERE answer.call_key NOT IN (SELECT stored.call_key FROM pending.stored AS stored);
