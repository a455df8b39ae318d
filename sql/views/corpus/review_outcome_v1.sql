-- Grain: benchmark, round, kind, item_id
-- Answers: What did the reviewers of a round decide of each item, and who still has to?
-- Formula: reviewers 1 and 2 settle what they agree on, the third what they split over (HoWToBench
--     4.5); a pick needs two reviewers, an item review one. Two revisions agree if every text is
--     the same. A pick stands for the source behind its letter.
-- Missing: place is NULL while an item is open: too few reviewers, or a split without a third.
-- Replaces: none
-- Known issue: none
CREATE OR REPLACE VIEW bench.review_outcome_v1 AS
WITH said AS (
    SELECT
        review.benchmark,
        review.round,
        review.kind,
        review.item_id,
        review.place,
        review.reviewer,
        coalesce(candidate.source, review.decision) AS choice,
        CASE
            WHEN review.decision = 'revise'
                THEN concat_ws(
                    chr(31),
                    coalesce(review.instruction, chr(30)),
                    coalesce(review.grounding, chr(30)),
                    coalesce(review.reference, chr(30)),
                    coalesce(review.genre, chr(30))
                )
            ELSE coalesce(candidate.source, review.decision)
        END AS meaning
    FROM corpus.review AS review
    LEFT JOIN corpus.review_candidate AS candidate
        ON
            review.kind = 'picks'
            AND candidate.benchmark = review.benchmark
            AND candidate.round = review.round
            AND candidate.item_id = review.item_id
            AND candidate.letter = review.decision
    WHERE review.is_current
),

side AS (
    SELECT
        said.benchmark,
        said.round,
        said.kind,
        said.item_id,
        count(*) AS n_reviewer,
        max(CASE WHEN said.place = 1 THEN said.choice END) AS first_choice,
        max(CASE WHEN said.place = 2 THEN said.choice END) AS second_choice,
        max(CASE WHEN said.place = 3 THEN said.choice END) AS third_choice,
        max(CASE WHEN said.place = 1 THEN said.meaning END) AS first_meaning,
        max(CASE WHEN said.place = 2 THEN said.meaning END) AS second_meaning
    FROM said
    GROUP BY said.benchmark, said.round, said.kind, said.item_id
),

settled AS (
    SELECT
        side.benchmark,
        side.round,
        side.kind,
        side.item_id,
        side.n_reviewer,
        side.first_choice,
        side.second_choice,
        side.third_choice,
        coalesce(side.first_meaning <> side.second_meaning, FALSE) AS is_split,
        CASE
            WHEN side.first_meaning = side.second_meaning THEN 1
            WHEN side.first_meaning <> side.second_meaning AND side.third_choice IS NOT NULL THEN 3
            WHEN side.kind = 'items' AND side.second_choice IS NULL THEN 1
        END AS place
    FROM side
)

SELECT
    settled.benchmark,
    settled.round,
    settled.kind,
    settled.item_id,
    settled.n_reviewer,
    settled.first_choice,
    settled.second_choice,
    settled.third_choice,
    settled.is_split,
    settled.place,
    CASE
        WHEN settled.place = 1 THEN settled.first_choice
        WHEN settled.place = 3 THEN settled.third_choice
    END AS outcome
FROM settled;

COMMENT ON VIEW bench.review_outcome_v1 IS
'What reviewers decided of each item; outcome is a decision, or the source of the picked text.';
