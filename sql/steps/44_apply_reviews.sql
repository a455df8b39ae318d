-- Fills: corpus.item with what reviewers settled, corpus.item_history with what it said before
-- Command: corpus, review, score
-- Wanted = version 1 of the item (as built or imported) with the settled reviews of every round
-- laid over it in order, picks after item reviews. A review corrected or undone so takes its
-- change back. A review of an item that was imported anew since does not count.
CREATE OR REPLACE TABLE pending.reviewed_item AS
WITH base AS (
    SELECT
        history.benchmark,
        history.item_id,
        history.version,
        history.instruction,
        history.grounding,
        history.reference,
        history.genre,
        history.reference_source,
        history.status,
        history.reason,
        history.record_id
    FROM corpus.item_history AS history
    QUALIFY
        row_number() OVER (
            PARTITION BY history.benchmark, history.item_id, history.record_id
            ORDER BY history.version
        ) = 1
),

decided AS (
    SELECT
        outcome.benchmark,
        outcome.item_id,
        task.record_id,
        2 * outcome.round + CASE WHEN outcome.kind = 'picks' THEN 1 ELSE 0 END AS at,
        outcome.outcome,
        outcome.kind,
        CASE WHEN outcome.outcome = 'revise' THEN review.instruction END AS instruction,
        CASE WHEN outcome.outcome = 'revise' THEN review.grounding END AS grounding,
        CASE WHEN outcome.outcome = 'revise' THEN review.genre END AS genre,
        CASE
            WHEN outcome.outcome = 'revise' THEN review.reference
            WHEN candidate.source <> 'reference' THEN candidate.text
        END AS reference,
        CASE WHEN candidate.source <> 'reference' THEN candidate.source END AS reference_source,
        review.reason
    FROM bench.review_outcome_v1 AS outcome
    INNER JOIN corpus.review_task AS task
        ON
            task.benchmark = outcome.benchmark
            AND task.round = outcome.round
            AND task.kind = outcome.kind
            AND task.item_id = outcome.item_id
    INNER JOIN corpus.review AS review
        ON
            review.benchmark = outcome.benchmark
            AND review.round = outcome.round
            AND review.kind = outcome.kind
            AND review.item_id = outcome.item_id
            AND review.place = outcome.place
            AND review.is_current
    LEFT JOIN corpus.review_candidate AS candidate
        ON
            outcome.kind = 'picks'
            AND candidate.benchmark = outcome.benchmark
            AND candidate.round = outcome.round
            AND candidate.item_id = outcome.item_id
            AND candidate.letter = review.decision
),

laid AS (
    SELECT
        decided.benchmark,
        decided.item_id,
        decided.record_id,
        arg_max(decided.instruction, decided.at) AS instruction,
        arg_max(decided.grounding, decided.at) AS grounding,
        arg_max(decided.genre, decided.at) AS genre,
        arg_max(decided.reference, decided.at) AS reference,
        arg_max(decided.reference_source, decided.at) AS reference_source,
        max(CASE WHEN decided.kind = 'items' THEN decided.at END) AS last_at,
        max(CASE WHEN decided.outcome = 'reject' THEN decided.at END) AS rejected_at,
        arg_max(CASE WHEN decided.outcome = 'reject' THEN decided.reason END, decided.at)
            AS reason
    FROM decided
    GROUP BY decided.benchmark, decided.item_id, decided.record_id
)

SELECT
    item.benchmark,
    item.item_id,
    coalesce(laid.instruction, base.instruction, item.instruction) AS instruction,
    coalesce(laid.grounding, base.grounding, item.grounding) AS grounding,
    coalesce(laid.reference, base.reference, item.reference) AS reference,
    coalesce(laid.genre, base.genre, item.genre) AS genre,
    coalesce(laid.reference_source, base.reference_source, item.reference_source)
        AS reference_source,
    CASE
        WHEN laid.rejected_at = laid.last_at THEN 'rejected'
        ELSE coalesce(base.status, item.status)
    END AS status,
    CASE
        WHEN laid.rejected_at = laid.last_at THEN concat('review: ', laid.reason)
        WHEN base.item_id IS NULL THEN item.reason
        ELSE base.reason
    END AS reason
FROM corpus.item AS item
LEFT JOIN laid
    ON
        laid.benchmark = item.benchmark
        AND laid.item_id = item.item_id
        AND laid.record_id IS NOT DISTINCT FROM item.record_id
LEFT JOIN base
    ON
        base.benchmark = item.benchmark
        AND base.item_id = item.item_id
        AND base.record_id IS NOT DISTINCT FROM item.record_id
WHERE
    item.status <> 'withdrawn'
    AND (laid.item_id IS NOT NULL OR base.item_id IS NOT NULL);

DELETE FROM pending.reviewed_item
WHERE EXISTS (
    SELECT 1
    FROM corpus.item AS item
    WHERE
        item.benchmark = reviewed_item.benchmark
        AND item.item_id = reviewed_item.item_id
        AND item.instruction = reviewed_item.instruction
        AND item.grounding = reviewed_item.grounding
        AND item.reference = reviewed_item.reference
        AND item.genre = reviewed_item.genre
        AND item.reference_source = reviewed_item.reference_source
        AND item.status = reviewed_item.status
        AND item.reason IS NOT DISTINCT FROM reviewed_item.reason
);

INSERT INTO corpus.item_history BY NAME
SELECT
    item.benchmark,
    item.item_id,
    coalesce(
        (
            SELECT max(history.version)
            FROM corpus.item_history AS history
            WHERE history.benchmark = item.benchmark AND history.item_id = item.item_id
        ),
        0
    ) + 1 AS version,
    item.instruction,
    item.grounding,
    item.reference,
    item.genre,
    item.reference_source,
    item.status,
    item.reason,
    item.record_id,
    run.started_at AS replaced_at,
    run.run_id
FROM corpus.item AS item
INNER JOIN pending.reviewed_item AS reviewed
    ON reviewed.benchmark = item.benchmark AND reviewed.item_id = item.item_id
CROSS JOIN pending.run AS pending_run
INNER JOIN run.run AS run ON run.run_id = pending_run.run_id;

UPDATE corpus.item
SET
    instruction = reviewed.instruction,
    grounding = reviewed.grounding,
    reference = reviewed.reference,
    genre = reviewed.genre,
    reference_source = reviewed.reference_source,
    status = reviewed.status,
    reason = reviewed.reason,
    instruction_hash = sha256(judged_instruction_v1(reviewed.instruction, reviewed.grounding)),
    reference_hash = sha256(reviewed.reference)
FROM pending.reviewed_item AS reviewed
WHERE item.benchmark = reviewed.benchmark AND item.item_id = reviewed.item_id;
