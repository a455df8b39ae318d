-- A revision changes no field, or a rejection gives no reason: ask the reviewer, import it again.
SELECT
    review.benchmark,
    review.round,
    review.kind,
    review.item_id,
    review.reviewer,
    review.decision
FROM corpus.review AS review
WHERE
    review.is_current
    AND (
        (review.decision = 'reject' AND coalesce(trim(review.reason), '') = '')
        OR (
            review.decision = 'revise'
            AND review.instruction IS NULL
            AND review.grounding IS NULL
            AND review.reference IS NULL
            AND review.genre IS NULL
        )
    );
