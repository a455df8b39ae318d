-- Fills: ledger.reply: what the current parser reads in replies that only an older one has read
-- Command: corpus, score, generate, reparse
CREATE OR REPLACE TABLE pending.unread AS
SELECT
    outcome.attempt_id,
    outcome.call_key
FROM ledger.outcome AS outcome
WHERE
    outcome.status = 'ok'
    AND NOT EXISTS (
        SELECT 1
        FROM ledger.reply AS known
        INNER JOIN judge.parser AS parser
            ON parser.parser_version = known.parser_version AND parser.is_current
        WHERE known.attempt_id = outcome.attempt_id
    );

INSERT INTO ledger.reply BY NAME
SELECT
    stored.call_key,
    stored.attempt_id,
    parser.parser_version,
    stored.found.value,
    stored.found.status,
    stored.found.reason,
    stored.found.rationale,
    stored.found.text
FROM (
    SELECT
        outcome.call_key,
        outcome.attempt_id,
        read_reply(outcome.call_key, request.prompt_id, dimensions.text, outcome.body) AS found
    FROM ledger.outcome AS outcome
    INNER JOIN pending.unread AS unread ON unread.attempt_id = outcome.attempt_id
    INNER JOIN ledger.request AS request ON request.call_key = outcome.call_key
    LEFT JOIN ledger.text AS dimensions ON dimensions.hash = request.dimensions_hash
) AS stored
CROSS JOIN judge.parser AS parser
WHERE parser.is_current AND stored.found IS NOT NULL;
