-- Prices, and every attempt with what it cost, so that bench.cost can tell runs apart.
CREATE TABLE run.price (
    model VARCHAR NOT NULL,
    since DATE NOT NULL,
    input DOUBLE NOT NULL,
    output DOUBLE NOT NULL,
    cached_input DOUBLE,
    batch_factor DOUBLE,
    source VARCHAR,
    PRIMARY KEY (model, since)
);
COMMENT ON TABLE run.price IS
'USD per million tokens from a day on; a model that ends in * is a prefix; NULL = no discount.';

CREATE TABLE judge.attempt (
    attempt_id UUID NOT NULL,
    call_key VARCHAR NOT NULL,
    benchmark VARCHAR NOT NULL,
    stage VARCHAR NOT NULL,
    model VARCHAR NOT NULL,
    run_id UUID NOT NULL,
    number INTEGER NOT NULL,
    status VARCHAR NOT NULL,
    prompt_tokens BIGINT,
    completion_tokens BIGINT,
    cached_tokens BIGINT,
    cost DOUBLE,
    usage_unknown BOOLEAN NOT NULL,
    is_batch BOOLEAN NOT NULL,
    latency_ms DOUBLE,
    sent_at TIMESTAMP NOT NULL,
    PRIMARY KEY (attempt_id)
);
COMMENT ON TABLE judge.attempt IS
'Every attempt behind the rows or runs of this file; usage_unknown = tokens, cost are bounds.';
