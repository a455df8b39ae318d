-- A metric is ok without a number, or has one and is not: delete the row and run `make score`.
SELECT
    metric_score.benchmark,
    metric_score.writing_id,
    metric_score.metric,
    metric_score.reference_mode,
    metric_score.score,
    metric_score.status
FROM judge.metric_score AS metric_score
WHERE (metric_score.score IS NOT NULL) <> (metric_score.status IN ('ok', 'repaired'));
