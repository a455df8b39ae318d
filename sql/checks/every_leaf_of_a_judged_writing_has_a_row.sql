-- A judge left some leaves of a writing without a row or a reason, as after a kill: run make score.
-- Writings that a judge was never given (LIMIT, SYSTEMS) are pending, not faulty: see bench.status.
SELECT
    answer.benchmark,
    answer.writing_id,
    answer.judge,
    answer.reference_mode,
    count(*) AS n_cell,
    count(CASE WHEN answer.status = 'never_asked' THEN 1 END) AS n_without_row
FROM bench.leaf_answer_v1 AS answer
GROUP BY answer.benchmark, answer.writing_id, answer.judge, answer.reference_mode
HAVING
    count(CASE WHEN answer.status = 'never_asked' THEN 1 END) > 0
    AND count(CASE WHEN answer.status NOT IN ('never_asked', 'no_text', 'no_reference') THEN 1 END)
    > 0;
