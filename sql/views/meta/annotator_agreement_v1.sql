-- Grain: benchmark, criterion
-- Answers: How far do people agree with one another on a criterion?
-- Formula: Cohen's kappa (plain, quadratic) and Pearson of every two annotators over the writings
--     both scored, averaged over the pairs by their number of writings; Krippendorff's alpha
--     (nominal, ordinal, interval), Fleiss' kappa, ICC(1) and ICC(1,k) over all (HoWToBench 5.2).
-- Missing: a pair without a value does not count; Fleiss and ICC are NULL unless every writing has
--     the same number of scores, at least two. n_writing have a score, n_pair pairs of annotators
--     share a writing. No control, no perturbed writing.
-- Replaces: none
-- Known issue: none
CREATE OR REPLACE VIEW bench.annotator_agreement_v1 AS
WITH rating AS (
    SELECT
        rating.benchmark,
        rating.criterion,
        rating.writing_id,
        rating.annotator,
        rating.score
    FROM judge.human_rating AS rating
    INNER JOIN bench.human_score_v1 AS human_score
        ON
            human_score.benchmark = rating.benchmark
            AND human_score.writing_id = rating.writing_id
            AND human_score.criterion = rating.criterion
    WHERE
        rating.score IS NOT NULL
        AND NOT human_score.is_control
        AND human_score.perturbation IS NULL
),

annotator_pair AS (
    SELECT
        one.benchmark,
        one.criterion,
        one.annotator AS annotator_a,
        other.annotator AS annotator_b,
        cohen_kappa_v1(one.score, other.score) AS kappa,
        cohen_kappa_quadratic_v1(one.score, other.score) AS kappa_quadratic,
        pearson_r_v1(one.score, other.score) AS pearson,
        CAST(count(*) AS DOUBLE) AS n_writing
    FROM rating AS one
    INNER JOIN rating AS other
        ON
            other.benchmark = one.benchmark
            AND other.criterion = one.criterion
            AND other.writing_id = one.writing_id
            AND other.annotator > one.annotator
    GROUP BY one.benchmark, one.criterion, one.annotator, other.annotator
),

pair_mean AS (
    SELECT
        annotator_pair.benchmark,
        annotator_pair.criterion,
        sum(annotator_pair.n_writing * annotator_pair.kappa) / nullif(
            sum(CASE WHEN annotator_pair.kappa IS NOT NULL THEN annotator_pair.n_writing END),
            CAST(0 AS DOUBLE)
        ) AS kappa,
        sum(annotator_pair.n_writing * annotator_pair.kappa_quadratic) / nullif(
            sum(
                CASE
                    WHEN annotator_pair.kappa_quadratic IS NOT NULL THEN annotator_pair.n_writing
                END
            ),
            CAST(0 AS DOUBLE)
        ) AS kappa_quadratic,
        sum(annotator_pair.n_writing * annotator_pair.pearson) / nullif(
            sum(CASE WHEN annotator_pair.pearson IS NOT NULL THEN annotator_pair.n_writing END),
            CAST(0 AS DOUBLE)
        ) AS pearson,
        count(*) AS n_pair
    FROM annotator_pair
    GROUP BY annotator_pair.benchmark, annotator_pair.criterion
),

writing_rating AS (
    SELECT
        rating.benchmark,
        rating.criterion,
        rating.writing_id,
        array_agg(rating.score) AS ratings,
        count(*) AS n_rating
    FROM rating
    GROUP BY rating.benchmark, rating.criterion, rating.writing_id
),

overall AS (
    SELECT
        writing_rating.benchmark,
        writing_rating.criterion,
        krippendorff_nominal_v1(writing_rating.ratings) AS alpha_nominal,
        krippendorff_ordinal_v1(writing_rating.ratings) AS alpha_ordinal,
        krippendorff_interval_v1(writing_rating.ratings) AS alpha_interval,
        fleiss_kappa_v1(writing_rating.ratings) AS fleiss,
        icc1_v1(writing_rating.ratings) AS icc1,
        icc1k_v1(writing_rating.ratings) AS icc1k,
        count(*) AS n_writing,
        CAST(sum(writing_rating.n_rating) AS BIGINT) AS n_rating
    FROM writing_rating
    GROUP BY writing_rating.benchmark, writing_rating.criterion
)

SELECT
    overall.benchmark,
    overall.criterion,
    pair_mean.kappa,
    pair_mean.kappa_quadratic,
    pair_mean.pearson,
    overall.alpha_nominal,
    overall.alpha_ordinal,
    overall.alpha_interval,
    overall.fleiss,
    overall.icc1,
    overall.icc1k,
    coalesce(pair_mean.n_pair, 0) AS n_pair,
    overall.n_writing,
    overall.n_rating
FROM overall
LEFT JOIN pair_mean
    ON pair_mean.benchmark = overall.benchmark AND pair_mean.criterion = overall.criterion;

COMMENT ON VIEW bench.annotator_agreement_v1 IS
'Agreement of people with one another, per criterion.';
