-- Grain: benchmark, judge, leaf, reference_mode, run_id
-- Answers: Has a judge moved since it first scored the control texts, and is it still the same
--     model?
-- Formula: raw scores of control texts, averaged per text over what a run asked of the judge with
--     the current prompt and inputs; the run is the one whose call brought the reply. Change of a
--     text = its score in the run - its score in the first run that scored it; mean change with
--     sd, 95 % t interval and two-sided p of Student's t. served_model = what the endpoint called
--     the model, all names it used.
-- Missing: a text that the run scored first has no change: n_text counts all, n_again those with
--     a change. sd and interval are NULL below two of them, p also where all changed alike.
--     served_model is NULL where the endpoint named none. A later run asks a text again when it
--     asks for more repeats (TOWBENCH_REPEATS); a reopened answer replaces the earlier one.
-- Replaces: none
-- Known issue: none
CREATE OR REPLACE VIEW bench.judge_drift_v1 AS
WITH answered AS (
    SELECT
        attempt.call_key,
        max_by(attempt.run_id, attempt.sent_at) AS run_id,
        max(attempt.sent_at) AS sent_at
    FROM judge.attempt AS attempt
    WHERE attempt.status = 'ok'
    GROUP BY attempt.call_key
),

scored AS (
    SELECT
        answer.benchmark,
        answer.judge,
        answer.leaf,
        answer.reference_mode,
        answer.writing_id,
        coalesce(answered.run_id, answer.run_id) AS run_id,
        coalesce(answered.sent_at, run.started_at) AS scored_at,
        call.served_model,
        answer.score
    FROM bench.leaf_answer_v1 AS answer
    LEFT JOIN answered ON answered.call_key = answer.call_key
    LEFT JOIN judge.call AS call ON call.call_key = answer.call_key
    LEFT JOIN run.run AS run ON run.run_id = answer.run_id
    WHERE
        answer.score IS NOT NULL
        AND answer.system = 'reference'
        AND answer.perturbation IS NULL
        AND answer.judge <> 'rule'
),

text_score AS (
    SELECT
        scored.benchmark,
        scored.judge,
        scored.leaf,
        scored.reference_mode,
        scored.writing_id,
        scored.run_id,
        min(scored.scored_at) AS scored_at,
        avg(scored.score) AS score
    FROM scored
    GROUP BY
        scored.benchmark,
        scored.judge,
        scored.leaf,
        scored.reference_mode,
        scored.writing_id,
        scored.run_id
),

placed AS (
    SELECT
        text_score.benchmark,
        text_score.judge,
        text_score.leaf,
        text_score.reference_mode,
        text_score.run_id,
        text_score.scored_at,
        text_score.score,
        row_number() OVER (
            PARTITION BY
                text_score.benchmark,
                text_score.judge,
                text_score.leaf,
                text_score.reference_mode,
                text_score.writing_id
            ORDER BY text_score.scored_at, text_score.run_id
        ) AS place,
        first_value(text_score.score) OVER (
            PARTITION BY
                text_score.benchmark,
                text_score.judge,
                text_score.leaf,
                text_score.reference_mode,
                text_score.writing_id
            ORDER BY text_score.scored_at, text_score.run_id
        ) AS first_score
    FROM text_score
),

-- Rounded, so that equal changes of averaged scores stay equal.
changed AS (
    SELECT
        placed.benchmark,
        placed.judge,
        placed.leaf,
        placed.reference_mode,
        placed.run_id,
        placed.scored_at,
        placed.score,
        CASE WHEN placed.place > 1 THEN round(placed.score - placed.first_score, 12) END AS change
    FROM placed
),

summary AS (
    SELECT
        changed.benchmark,
        changed.judge,
        changed.leaf,
        changed.reference_mode,
        changed.run_id,
        min(changed.scored_at) AS scored_at,
        avg(changed.score) AS score,
        count(*) AS n_text,
        count(changed.change) AS n_again,
        avg(changed.change) AS change,
        stddev_samp(changed.change) AS sd
    FROM changed
    GROUP BY
        changed.benchmark,
        changed.judge,
        changed.leaf,
        changed.reference_mode,
        changed.run_id
),

served_name AS (
    SELECT DISTINCT
        scored.benchmark,
        scored.judge,
        scored.leaf,
        scored.reference_mode,
        scored.run_id,
        scored.served_model
    FROM scored
    WHERE scored.served_model IS NOT NULL
),

served AS (
    SELECT
        served_name.benchmark,
        served_name.judge,
        served_name.leaf,
        served_name.reference_mode,
        served_name.run_id,
        string_agg(served_name.served_model, ', ' ORDER BY served_name.served_model)
            AS served_model
    FROM served_name
    GROUP BY
        served_name.benchmark,
        served_name.judge,
        served_name.leaf,
        served_name.reference_mode,
        served_name.run_id
),

tested AS (
    SELECT
        summary.benchmark,
        summary.judge,
        summary.leaf,
        summary.reference_mode,
        summary.run_id,
        summary.scored_at,
        summary.score,
        summary.change,
        summary.sd,
        summary.sd / sqrt(CAST(summary.n_again AS DOUBLE)) AS stderr,
        summary.n_text,
        summary.n_again
    FROM summary
)

SELECT
    tested.benchmark,
    tested.judge,
    tested.leaf,
    tested.reference_mode,
    tested.run_id,
    tested.scored_at,
    served.served_model,
    tested.score,
    tested.change,
    tested.sd,
    tested.change - t_quantile_975_v1(tested.n_again - 1) * tested.stderr AS ci_low,
    tested.change + t_quantile_975_v1(tested.n_again - 1) * tested.stderr AS ci_high,
    t_two_sided_p_v1(
        tested.change / nullif(tested.stderr, CAST(0 AS DOUBLE)), tested.n_again - 1
    ) AS p,
    tested.n_text,
    tested.n_again
FROM tested
LEFT JOIN served
    ON
        served.benchmark = tested.benchmark
        AND served.judge = tested.judge
        AND served.leaf = tested.leaf
        AND served.reference_mode = tested.reference_mode
        AND served.run_id = tested.run_id;

COMMENT ON VIEW bench.judge_drift_v1 IS
'Change of a judge on the control texts from its first scores on, per run and leaf.';
