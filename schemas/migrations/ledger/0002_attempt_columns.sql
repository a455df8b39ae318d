-- What an attempt cost in more detail: prompt tokens read from a cache, and the price of batches.
ALTER TABLE outcome ADD COLUMN cached_tokens BIGINT;
ALTER TABLE outcome ADD COLUMN is_batch BOOLEAN DEFAULT false;

CREATE OR REPLACE VIEW attempt AS
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
    outcome.error,
    outcome.cached_tokens,
    coalesce(outcome.is_batch, false) AS is_batch
FROM intent
LEFT JOIN outcome ON outcome.attempt_id = intent.attempt_id;
COMMENT ON VIEW attempt IS 'One row per attempt; status sent = no outcome stored yet.';
