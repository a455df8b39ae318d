-- Paid replies. This file outlives the main one, can be merged with another, copied and compacted.
-- Rows are only ever added: an intent before sending, an outcome after.
CREATE TABLE text (
    hash VARCHAR NOT NULL,
    text VARCHAR NOT NULL
);
COMMENT ON TABLE text IS 'Every essay, reference, instruction and prompt once, by sha256.';

CREATE TABLE request (
    call_key VARCHAR NOT NULL,
    benchmark VARCHAR NOT NULL,
    stage VARCHAR NOT NULL,
    model VARCHAR NOT NULL,
    prompt_id VARCHAR NOT NULL,
    prompt_hash VARCHAR NOT NULL,
    repeat INTEGER NOT NULL,
    sampling VARCHAR NOT NULL,
    presentation VARCHAR NOT NULL,
    instruction_hash VARCHAR,
    reference_hash VARCHAR,
    text_hash VARCHAR,
    dimensions_hash VARCHAR
);
COMMENT ON TABLE request IS 'The logical request behind a call key, as hashes of its parts.';

CREATE TABLE intent (
    attempt_id UUID NOT NULL,
    call_key VARCHAR NOT NULL,
    run_id UUID NOT NULL,
    number INTEGER NOT NULL,
    sent_at TIMESTAMP NOT NULL,
    prompt_tokens_bound BIGINT,
    completion_tokens_bound BIGINT,
    cost_bound DOUBLE
);
COMMENT ON TABLE intent IS
'Written before an attempt is sent; bounds are what it can cost at most.';

CREATE TABLE outcome (
    attempt_id UUID NOT NULL,
    call_key VARCHAR NOT NULL,
    status VARCHAR NOT NULL,
    http_status INTEGER,
    finish_reason VARCHAR,
    prompt_tokens BIGINT,
    completion_tokens BIGINT,
    cost DOUBLE,
    usage_unknown BOOLEAN NOT NULL,
    latency_ms DOUBLE,
    served_model VARCHAR,
    fingerprint VARCHAR,
    body VARCHAR,
    error VARCHAR,
    received_at TIMESTAMP NOT NULL,
    CHECK (status IN (
        'ok', 'http_429', 'http_5xx', 'http_4xx', 'timeout', 'dropped', 'error_in_200',
        'refused', 'filtered', 'truncated', 'empty', 'prompt_cut'
    ))
);
COMMENT ON TABLE outcome IS 'What came back for an attempt; body is the raw response text.';

CREATE TABLE reply (
    call_key VARCHAR NOT NULL,
    attempt_id UUID NOT NULL,
    parser_version VARCHAR NOT NULL,
    value VARCHAR,
    status VARCHAR NOT NULL,
    reason VARCHAR,
    rationale VARCHAR,
    text VARCHAR,
    CHECK (status IN ('ok', 'repaired', 'unparsable', 'out_of_range', 'conflicting'))
);
COMMENT ON TABLE reply IS 'What a parser version read in the reply of an attempt; value is JSON.';

CREATE VIEW attempt AS
SELECT
    intent.attempt_id,
    intent.call_key,
    intent.run_id,
    intent.number,
    intent.sent_at,
    outcome.received_at,
    coalesce(outcome.status, 'sent') AS status,
    outcome.http_status,
    outcome.finish_reason,
    coalesce(outcome.prompt_tokens, intent.prompt_tokens_bound) AS prompt_tokens,
    coalesce(outcome.completion_tokens, intent.completion_tokens_bound) AS completion_tokens,
    coalesce(outcome.cost, intent.cost_bound) AS cost,
    coalesce(outcome.usage_unknown, true) AS usage_unknown,
    outcome.latency_ms,
    outcome.served_model,
    outcome.fingerprint,
    outcome.body,
    outcome.error
FROM intent
LEFT JOIN outcome ON outcome.attempt_id = intent.attempt_id;
COMMENT ON VIEW attempt IS 'One row per attempt; status sent = no outcome stored yet.';

-- A hit is a key whose last finished attempt ended in one of these four ways.
CREATE VIEW hit AS
SELECT
    attempt.call_key,
    max_by(attempt.attempt_id, attempt.sent_at) AS attempt_id,
    max_by(attempt.status, attempt.sent_at) AS status
FROM attempt
WHERE attempt.status <> 'sent'
GROUP BY attempt.call_key
HAVING max_by(attempt.status, attempt.sent_at) IN ('ok', 'refused', 'filtered', 'prompt_cut');
COMMENT ON VIEW hit IS 'Keys that need no new call.';
