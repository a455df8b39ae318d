-- Grain: benchmark, method, perturbation
-- Answers: Does a method mark a text down when it is damaged, and by how much?
-- Formula: score of a perturbed copy - score of the writing it was made from, averaged over the
--     copies of a writing (seeds); mean with 95 % t interval over writings, share of writings whose
--     score rose and fell, a tie being neither; initial_mean = mean of these writings before
--     (HoWToBench 6.2, Table 7). A perturbation attack:<name> is a planted order.
-- Missing: a writing counts in n when both scores are there, in n_perturbed when the method knows
--     one of the two texts; a copy without text (not_applicable: nothing to damage) counts there.
--     The interval is NULL below two writings. Withdrawn copies do not count.
-- Replaces: none
-- Known issue: none
-- Snapshot: yes
CREATE OR REPLACE VIEW bench.robustness_v1 AS
WITH copy AS (
    SELECT
        writing.benchmark,
        writing.perturbation,
        writing.writing_id,
        writing.source_writing_id,
        -- A copy that names no source stands for itself: it is counted, never paired.
        coalesce(writing.source_writing_id, writing.writing_id) AS unit_id
    FROM corpus.writing AS writing
    WHERE writing.perturbation IS NOT NULL AND writing.status <> 'withdrawn'
),

text AS (
    SELECT
        copy.benchmark,
        copy.perturbation,
        copy.unit_id,
        copy.writing_id AS copy_id,
        copy.writing_id,
        TRUE AS is_copy
    FROM copy
    UNION ALL
    SELECT
        copy.benchmark,
        copy.perturbation,
        copy.unit_id,
        copy.writing_id AS copy_id,
        copy.source_writing_id AS writing_id,
        FALSE AS is_copy
    FROM copy
    WHERE copy.source_writing_id IS NOT NULL
),

pair AS (
    SELECT
        text.benchmark,
        method_score.method,
        text.perturbation,
        text.unit_id,
        max(CASE WHEN NOT text.is_copy THEN method_score.score END) AS initial,
        max(CASE WHEN text.is_copy THEN method_score.score END) AS perturbed
    FROM text
    INNER JOIN bench.method_score_v1 AS method_score
        ON
            method_score.benchmark = text.benchmark
            AND method_score.writing_id = text.writing_id
    GROUP BY
        text.benchmark,
        method_score.method,
        text.perturbation,
        text.unit_id,
        text.copy_id
),

-- Rounded, so that equal scores summed in another order stay equal.
unit AS (
    SELECT
        pair.benchmark,
        pair.method,
        pair.perturbation,
        pair.unit_id,
        avg(CASE WHEN pair.perturbed IS NOT NULL THEN pair.initial END) AS initial,
        round(avg(pair.perturbed - pair.initial), 12) AS change
    FROM pair
    GROUP BY pair.benchmark, pair.method, pair.perturbation, pair.unit_id
),

summary AS (
    SELECT
        unit.benchmark,
        unit.method,
        unit.perturbation,
        avg(unit.initial) AS initial_mean,
        avg(unit.change) AS mean_change,
        stddev_samp(unit.change) AS sd,
        avg(
            CASE
                WHEN unit.change > CAST(0 AS DOUBLE) THEN CAST(1 AS DOUBLE)
                WHEN unit.change IS NOT NULL THEN CAST(0 AS DOUBLE)
            END
        ) AS share_rose,
        avg(
            CASE
                WHEN unit.change < CAST(0 AS DOUBLE) THEN CAST(1 AS DOUBLE)
                WHEN unit.change IS NOT NULL THEN CAST(0 AS DOUBLE)
            END
        ) AS share_fell,
        count(unit.change) AS n,
        count(*) AS n_perturbed
    FROM unit
    GROUP BY unit.benchmark, unit.method, unit.perturbation
),

spread AS (
    SELECT
        summary.benchmark,
        summary.method,
        summary.perturbation,
        summary.initial_mean,
        summary.mean_change,
        CASE
            WHEN summary.n >= 2
                THEN
                    t_quantile_975_v1(summary.n - 1) * summary.sd
                    / sqrt(CAST(summary.n AS DOUBLE))
        END AS half_width,
        summary.share_rose,
        summary.share_fell,
        summary.n,
        summary.n_perturbed
    FROM summary
)

SELECT
    spread.benchmark,
    spread.method,
    spread.perturbation,
    spread.initial_mean,
    spread.mean_change,
    spread.mean_change - spread.half_width AS ci_low,
    spread.mean_change + spread.half_width AS ci_high,
    spread.share_rose,
    spread.share_fell,
    spread.n,
    spread.n_perturbed
FROM spread;

COMMENT ON VIEW bench.robustness_v1 IS
'How far damaging a text moves its score by every method, with interval and share that rose.';
COMMENT ON COLUMN bench.robustness_v1.n IS 'Writings whose score is known before and after.';
COMMENT ON COLUMN bench.robustness_v1.n_perturbed IS
'Writings with a copy of which the method knows one text at least.';
