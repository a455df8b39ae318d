-- A panel mixes an embedded judge with models: take one kind out of judge.panel and run make score.
SELECT
    panel.panel,
    count(CASE WHEN starts_with(panel.judge, 'embedded/') THEN 1 END) AS n_embedded,
    count(CASE WHEN NOT starts_with(panel.judge, 'embedded/') THEN 1 END) AS n_model
FROM judge.panel AS panel
GROUP BY panel.panel
HAVING
    count(CASE WHEN starts_with(panel.judge, 'embedded/') THEN 1 END) > 0
    AND count(CASE WHEN NOT starts_with(panel.judge, 'embedded/') THEN 1 END) > 0;
