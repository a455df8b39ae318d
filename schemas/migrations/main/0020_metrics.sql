-- Why a metric has no number, and what its number rests on.
ALTER TABLE judge.metric_score ADD COLUMN status corpus.row_status DEFAULT 'ok';
ALTER TABLE judge.metric_score ADD COLUMN reason VARCHAR;
ALTER TABLE judge.metric_score ADD COLUMN input_hash VARCHAR;
ALTER TABLE judge.metric_score ADD COLUMN metric_version VARCHAR;
ALTER TABLE judge.metric_score ADD COLUMN call_key VARCHAR;
ALTER TABLE judge.metric_score ADD COLUMN reference_call_key VARCHAR;
COMMENT ON TABLE judge.metric_score IS
'Values of metrics, 0-1 where bounded; input_hash and metric_version are NULL for imported ones.';
