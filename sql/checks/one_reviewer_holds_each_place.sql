-- Two current reviews hold one place, or one reviewer holds two: repair corpus.review.is_current.
SELECT
    review.benchmark,
    review.round,
    review.kind,
    review.item_id,
    count(*) AS n_current,
    count(DISTINCT review.place) AS n_place,
    count(DISTINCT review.reviewer) AS n_reviewer
FROM corpus.review AS review
WHERE review.is_current
GROUP BY review.benchmark, review.round, review.kind, review.item_id
HAVING count(*) > least(count(DISTINCT review.place), count(DISTINCT review.reviewer));
