-- Grain: benchmark, round
-- Answers: How often do two reviewers pick the same text, and what did the round change?
-- Formula: pick_agreement = picks that reviewers 1 and 2 gave to the same source / picks with two
--     reviewers; replaced = settled picks of a model text, rejected = settled rejections, each also
--     as a share of the items settled in its kind (HoWToBench 4.5: 96.7 % agreement, 137 of 1,302
--     replaced, 41 of 1,302 rejected). kappa = (agreement - chance) / (1 - chance), chance from the
--     two reviewers' shares of each source (Cohen 1960).
-- Missing: a share is NULL where nothing is settled; kappa where only one source was ever picked.
-- Replaces: none
-- Known issue: places 1 and 2 are filled by many people, so kappa is of pairs drawn from them
CREATE OR REPLACE VIEW bench.review_agreement_v1 AS
WITH outcome AS (
    SELECT
        outcome.benchmark,
        outcome.round,
        outcome.kind,
        outcome.first_choice,
        outcome.second_choice,
        outcome.is_split,
        outcome.place,
        outcome.outcome,
        coalesce(outcome.kind = 'picks' AND outcome.second_choice IS NOT NULL, FALSE) AS is_pair
    FROM bench.review_outcome_v1 AS outcome
),

counted AS (
    SELECT
        outcome.benchmark,
        outcome.round,
        count(CASE WHEN outcome.kind = 'picks' THEN 1 END) AS n_pick,
        count(CASE WHEN outcome.is_pair THEN 1 END) AS n_pair,
        count(CASE WHEN outcome.is_pair AND outcome.is_split THEN 1 END) AS n_split,
        count(CASE WHEN outcome.kind = 'picks' AND outcome.place IS NULL THEN 1 END) AS n_pick_open,
        count(CASE WHEN outcome.kind = 'picks' AND outcome.place IS NOT NULL THEN 1 END)
            AS n_pick_settled,
        count(
            CASE WHEN outcome.kind = 'picks' AND outcome.outcome <> 'reference' THEN 1 END
        ) AS replaced,
        count(CASE WHEN outcome.kind = 'items' AND outcome.place IS NOT NULL THEN 1 END)
            AS n_item_settled,
        count(CASE WHEN outcome.kind = 'items' AND outcome.place IS NULL THEN 1 END) AS n_item_open,
        count(CASE WHEN outcome.kind = 'items' AND outcome.outcome = 'accept' THEN 1 END)
            AS accepted,
        count(CASE WHEN outcome.kind = 'items' AND outcome.outcome = 'revise' THEN 1 END)
            AS revised,
        count(CASE WHEN outcome.kind = 'items' AND outcome.outcome = 'reject' THEN 1 END)
            AS rejected
    FROM outcome
    GROUP BY outcome.benchmark, outcome.round
),

pair_choice AS (
    SELECT
        outcome.benchmark,
        outcome.round,
        outcome.first_choice AS choice,
        1 AS n_first,
        0 AS n_second
    FROM outcome
    WHERE outcome.is_pair
    UNION ALL
    SELECT
        outcome.benchmark,
        outcome.round,
        outcome.second_choice AS choice,
        0 AS n_first,
        1 AS n_second
    FROM outcome
    WHERE outcome.is_pair
),

margin AS (
    SELECT
        pair_choice.benchmark,
        pair_choice.round,
        pair_choice.choice,
        CAST(sum(pair_choice.n_first) AS DOUBLE) AS n_first,
        CAST(sum(pair_choice.n_second) AS DOUBLE) AS n_second
    FROM pair_choice
    GROUP BY pair_choice.benchmark, pair_choice.round, pair_choice.choice
),

chance AS (
    SELECT
        margin.benchmark,
        margin.round,
        sum(margin.n_first * margin.n_second) / (sum(margin.n_first) * sum(margin.n_second))
            AS expected
    FROM margin
    GROUP BY margin.benchmark, margin.round
),

agreed AS (
    SELECT
        counted.benchmark,
        counted.round,
        CASE
            WHEN counted.n_pair > 0
                THEN CAST(counted.n_pair - counted.n_split AS DOUBLE) / counted.n_pair
        END AS pick_agreement
    FROM counted
)

SELECT
    counted.benchmark,
    counted.round,
    counted.n_pick,
    counted.n_pair,
    counted.n_split,
    counted.n_pick_open,
    agreed.pick_agreement,
    CASE
        WHEN chance.expected < 1 - 1e-12
            THEN (agreed.pick_agreement - chance.expected) / (1 - chance.expected)
    END AS kappa,
    counted.replaced,
    CASE
        WHEN counted.n_pick_settled > 0
            THEN CAST(counted.replaced AS DOUBLE) / counted.n_pick_settled
    END AS replaced_share,
    counted.n_item_settled,
    counted.n_item_open,
    counted.accepted,
    counted.revised,
    counted.rejected,
    CASE
        WHEN counted.n_item_settled > 0
            THEN CAST(counted.rejected AS DOUBLE) / counted.n_item_settled
    END AS rejected_share
FROM counted
INNER JOIN agreed ON agreed.benchmark = counted.benchmark AND agreed.round = counted.round
LEFT JOIN chance ON chance.benchmark = counted.benchmark AND chance.round = counted.round;

COMMENT ON VIEW bench.review_agreement_v1 IS
'Agreement of reviewers on picks and what each round replaced, revised and rejected.';
