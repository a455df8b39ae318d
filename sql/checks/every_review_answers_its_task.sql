-- A review answers nothing that its round asked: compare corpus.review with corpus.review_task.
SELECT
    review.benchmark,
    review.round,
    review.kind,
    review.item_id,
    review.reviewer,
    review.decision,
    CASE
        WHEN task.item_id IS NULL THEN 'no such task'
        WHEN review.kind = 'items' THEN 'a letter for an item review'
        ELSE 'no text behind the letter'
    END AS fault
FROM corpus.review AS review
LEFT JOIN corpus.review_task AS task
    ON
        task.benchmark = review.benchmark
        AND task.round = review.round
        AND task.kind = review.kind
        AND task.item_id = review.item_id
LEFT JOIN corpus.review_candidate AS candidate
    ON
        review.kind = 'picks'
        AND candidate.benchmark = review.benchmark
        AND candidate.round = review.round
        AND candidate.item_id = review.item_id
        AND candidate.letter = review.decision
WHERE
    task.item_id IS NULL
    OR (review.kind = 'items' AND review.decision IN ('A', 'B', 'C', 'D'))
    OR (
        review.kind = 'picks'
        AND review.decision IN ('A', 'B', 'C', 'D')
        AND candidate.letter IS NULL
    );
