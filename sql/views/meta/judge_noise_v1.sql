-- Grain: benchmark, judge, leaf, reference_mode
-- Answers: How much does a judge differ from itself when it is asked again?
-- Formula: raw scores averaged over the presentations of a repeat; standard deviation over the
--     repeats of a writing, then the mean over writings (mean_sd) and the root of the mean variance
--     (pooled_sd).
-- Missing: writings with fewer than two scored repeats do not count, n_writing counts the others.
--     No control, no perturbed writing.
-- Replaces: none
-- Known issue: none
-- Snapshot: yes
CREATE OR REPLACE VIEW bench.judge_noise_v1 AS
WITH repeat_score AS (
    SELECT
        answer.benchmark,
        answer.judge,
        answer.leaf,
        answer.reference_mode,
        answer.writing_id,
        answer.repeat,
        avg(answer.score) AS score
    FROM bench.leaf_answer_v1 AS answer
    WHERE
        answer.score IS NOT NULL
        AND answer.perturbation IS NULL
        AND answer.system <> 'reference'
        AND answer.judge <> 'rule'
    GROUP BY
        answer.benchmark,
        answer.judge,
        answer.leaf,
        answer.reference_mode,
        answer.writing_id,
        answer.repeat
),

writing_spread AS (
    SELECT
        repeat_score.benchmark,
        repeat_score.judge,
        repeat_score.leaf,
        repeat_score.reference_mode,
        var_samp(repeat_score.score) AS variance,
        count(*) AS n_repeat
    FROM repeat_score
    GROUP BY
        repeat_score.benchmark,
        repeat_score.judge,
        repeat_score.leaf,
        repeat_score.reference_mode,
        repeat_score.writing_id
    HAVING count(*) >= 2
)

SELECT
    writing_spread.benchmark,
    writing_spread.judge,
    writing_spread.leaf,
    writing_spread.reference_mode,
    avg(sqrt(writing_spread.variance)) AS mean_sd,
    sqrt(avg(writing_spread.variance)) AS pooled_sd,
    max(writing_spread.n_repeat) AS n_repeat,
    count(*) AS n_writing
FROM writing_spread
GROUP BY
    writing_spread.benchmark,
    writing_spread.judge,
    writing_spread.leaf,
    writing_spread.reference_mode;

COMMENT ON VIEW bench.judge_noise_v1 IS 'Spread of a judge over its own repeats, per leaf.';
