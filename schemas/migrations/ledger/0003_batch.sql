-- Batches of requests at a provider.
CREATE TABLE batch (
    batch_id UUID NOT NULL,
    provider VARCHAR NOT NULL,
    model VARCHAR NOT NULL,
    form VARCHAR NOT NULL,
    run_id UUID NOT NULL,
    made_at TIMESTAMP NOT NULL
);
COMMENT ON TABLE batch IS
'A batch that is about to be submitted; the provider gets batch_id as metadata.';

CREATE TABLE batch_line (
    batch_id UUID NOT NULL,
    attempt_id UUID NOT NULL,
    call_key VARCHAR NOT NULL
);
COMMENT ON TABLE batch_line IS 'The attempts in a batch; custom_id is the call key.';

CREATE TABLE batch_event (
    batch_id UUID NOT NULL,
    event VARCHAR NOT NULL,
    remote_id VARCHAR,
    noted_at TIMESTAMP NOT NULL,
    CHECK (event IN ('created', 'read', 'never_created'))
);
COMMENT ON TABLE batch_event IS
'created = the provider has it as remote_id; read = every line has its outcome.';

CREATE VIEW open_batch AS
SELECT
    batch.batch_id,
    any_value(batch.provider) AS provider,
    any_value(batch.model) AS model,
    any_value(batch.form) AS form,
    any_value(batch.made_at) AS made_at,
    max(batch_event.remote_id) AS remote_id
FROM batch
LEFT JOIN batch_event ON batch_event.batch_id = batch.batch_id
GROUP BY batch.batch_id
HAVING count(*) FILTER (WHERE batch_event.event IN ('read', 'never_created')) = 0;
COMMENT ON VIEW open_batch IS 'Batches whose answers are still to be read.';
