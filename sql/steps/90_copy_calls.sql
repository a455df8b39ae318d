-- Fills: judge.call, judge.attempt and judge.reply from the ledger, so that one file answers
--     everything
-- Command: corpus, score, generate
CREATE OR REPLACE TABLE pending.used_key AS
SELECT annotation.call_key
FROM corpus.annotation AS annotation
WHERE annotation.call_key IS NOT NULL
UNION
SELECT writing.call_key FROM corpus.writing AS writing
WHERE writing.call_key IS NOT NULL
UNION
SELECT edge_weight.call_key FROM judge.edge_weight AS edge_weight
WHERE edge_weight.call_key IS NOT NULL
UNION
SELECT leaf_score.call_key FROM judge.leaf_score AS leaf_score
WHERE leaf_score.call_key IS NOT NULL
UNION
SELECT unnest([metric_score.call_key, metric_score.reference_call_key]) AS call_key
FROM judge.metric_score AS metric_score
WHERE metric_score.call_key IS NOT NULL;

-- Keys that are new, or got another attempt since they were copied.
CREATE OR REPLACE TABLE pending.stale_call AS
SELECT
    attempt.call_key,
    CAST(count(*) AS INTEGER) AS n_attempt
FROM ledger.intent AS attempt
INNER JOIN pending.used_key AS used_key ON used_key.call_key = attempt.call_key
LEFT JOIN judge.call AS known ON known.call_key = attempt.call_key
GROUP BY attempt.call_key
HAVING any_value(known.call_key) IS NULL OR any_value(known.n_attempt) <> count(*);

INSERT OR REPLACE INTO judge.call BY NAME
SELECT
    attempt.call_key,
    any_value(request.benchmark) AS benchmark,
    any_value(request.stage) AS stage,
    any_value(request.model) AS model,
    any_value(request.prompt_id) AS prompt_id,
    any_value(request.repeat) AS repeat,
    max_by(attempt.status, attempt.number) AS status,
    any_value(stale_call.n_attempt) AS n_attempt,
    sum(attempt.prompt_tokens) AS prompt_tokens,
    sum(attempt.completion_tokens) AS completion_tokens,
    sum(attempt.cost) AS cost,
    CAST(count(*) FILTER (WHERE attempt.usage_unknown) AS INTEGER) AS n_usage_unknown,
    sum(attempt.latency_ms) AS latency_ms,
    max_by(attempt.served_model, attempt.number) AS served_model,
    min(attempt.sent_at) AS first_sent_at
FROM ledger.attempt AS attempt
INNER JOIN pending.stale_call AS stale_call ON stale_call.call_key = attempt.call_key
INNER JOIN ledger.request AS request ON request.call_key = attempt.call_key
GROUP BY attempt.call_key;

-- Attempts behind the rows of this file, and whatever else its runs paid for; one whose outcome
-- came since is copied anew.
INSERT OR REPLACE INTO judge.attempt BY NAME
SELECT
    attempt.attempt_id,
    attempt.call_key,
    request.benchmark,
    request.stage,
    request.model,
    attempt.run_id,
    attempt.number,
    attempt.status,
    attempt.prompt_tokens,
    attempt.completion_tokens,
    attempt.cached_tokens,
    attempt.cost,
    attempt.usage_unknown,
    attempt.is_batch,
    attempt.latency_ms,
    attempt.sent_at
FROM ledger.attempt AS attempt
INNER JOIN ledger.request AS request ON request.call_key = attempt.call_key
LEFT JOIN judge.attempt AS known ON known.attempt_id = attempt.attempt_id
WHERE
    (known.attempt_id IS NULL OR (known.status = 'sent' AND attempt.status <> 'sent'))
    AND (
        attempt.call_key IN (SELECT used_key.call_key FROM pending.used_key AS used_key)
        OR attempt.run_id IN (SELECT run.run_id FROM run.run AS run)
    );

INSERT INTO judge.reply BY NAME
SELECT
    reply.call_key,
    reply.parser_version,
    reply.value,
    reply.status,
    reply.reason,
    reply.rationale,
    reply.text
FROM ledger.hit AS hit
INNER JOIN ledger.reply AS reply
    ON reply.call_key = hit.call_key AND reply.attempt_id = hit.attempt_id
INNER JOIN pending.used_key AS used_key ON used_key.call_key = hit.call_key
INNER JOIN ledger.request AS request ON request.call_key = hit.call_key
-- Vectors are long and say nothing to a reader: they stay in the ledger.
WHERE request.stage <> 'embed' AND NOT EXISTS (
    SELECT 1
    FROM judge.reply AS known
    WHERE known.call_key = reply.call_key AND known.parser_version = reply.parser_version
);
