-- Grain: benchmark, writing_id, criterion
-- Answers: How good do people find a writing by a criterion?
-- Formula: mean of the annotators' scores (HoWToBench 5.1: the mean of two is used).
-- Missing: a writing that nobody scored by the criterion has no row; n_rating counts the scores.
--     Withdrawn writings and rejected items have none.
-- Replaces: none
-- Known issue: none
CREATE OR REPLACE VIEW bench.human_score_v1 AS
SELECT
    rating.benchmark,
    rating.writing_id,
    rating.criterion,
    writing.item_id,
    writing.system,
    writing.system = 'reference' AS is_control,
    writing.perturbation,
    avg(rating.score) AS score,
    count(rating.score) AS n_rating
FROM judge.human_rating AS rating
INNER JOIN corpus.writing AS writing
    ON writing.benchmark = rating.benchmark AND writing.writing_id = rating.writing_id
INNER JOIN corpus.item AS item
    ON item.benchmark = writing.benchmark AND item.item_id = writing.item_id
WHERE
    rating.score IS NOT NULL
    AND writing.status <> 'withdrawn'
    AND item.status = 'accepted'
GROUP BY
    rating.benchmark,
    rating.writing_id,
    rating.criterion,
    writing.item_id,
    writing.system,
    writing.perturbation;

COMMENT ON VIEW bench.human_score_v1 IS 'Mean human score of every writing by criterion.';
