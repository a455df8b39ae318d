-- A pick does not show the reference and three systems, each once: its round must be opened anew.
WITH shown AS (
    SELECT
        candidate.benchmark,
        candidate.round,
        candidate.item_id,
        count(*) AS n_text,
        count(DISTINCT candidate.source) AS n_source,
        count(CASE WHEN candidate.source = 'reference' THEN 1 END) AS n_reference
    FROM corpus.review_candidate AS candidate
    GROUP BY candidate.benchmark, candidate.round, candidate.item_id
)

SELECT
    task.benchmark,
    task.round,
    task.item_id,
    shown.n_text,
    shown.n_source,
    shown.n_reference
FROM corpus.review_task AS task
LEFT JOIN shown
    ON
        shown.benchmark = task.benchmark
        AND shown.round = task.round
        AND shown.item_id = task.item_id
WHERE
    task.kind = 'picks'
    AND NOT coalesce(shown.n_text = 4 AND shown.n_source = 4 AND shown.n_reference = 1, FALSE);
