-- Views over the scratch tables that every call step shares.

-- What a call function is asked: the open requests with their texts, joined while they are read,
-- since a text stands in many requests.
DROP TABLE IF EXISTS pending.request;

CREATE OR REPLACE VIEW pending.request AS
SELECT
    open_request.call_key,
    open_request.model,
    open_request.prompt_id,
    open_request.repeat,
    open_request.sampling,
    open_request.presentation,
    instruction.text AS instruction,
    reference.text AS reference,
    body.text,
    dimensions.text AS dimensions
FROM pending.open_request AS open_request
LEFT JOIN ledger.text AS instruction ON instruction.hash = open_request.instruction_hash
LEFT JOIN ledger.text AS reference ON reference.hash = open_request.reference_hash
LEFT JOIN ledger.text AS body ON body.hash = open_request.text_hash
LEFT JOIN ledger.text AS dimensions ON dimensions.hash = open_request.dimensions_hash;

-- What is known of the keys of `pending.cell` when a call step writes its rows: what this run was
-- answered, else what was stored. A request that was not sent changes nothing about a stored reply.
CREATE OR REPLACE VIEW pending.settled AS
WITH answered AS (
    SELECT
        answer.call_key,
        answer.status,
        answer.reason,
        CASE WHEN answer.status IN ('ok', 'repaired') THEN answer.value END AS value,
        answer.rationale
    FROM pending.answer AS answer
    LEFT JOIN pending.stored AS stored ON stored.call_key = answer.call_key
    WHERE
        stored.call_key IS NULL
        OR answer.status NOT IN ('not_in_ledger', 'skipped_budget')
)

SELECT
    stored.call_key,
    stored.status,
    stored.reason,
    stored.value,
    stored.rationale
FROM pending.stored AS stored
WHERE stored.call_key NOT IN (SELECT answered.call_key FROM answered)
UNION ALL
SELECT
    answered.call_key,
    answered.status,
    answered.reason,
    answered.value,
    answered.rationale
FROM answered;
