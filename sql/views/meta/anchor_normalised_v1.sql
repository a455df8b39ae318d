-- Grain: benchmark, writing_id, leaf, judge, reference_mode
-- Answers: How far above or below the human text of its task is a writing, on the anchor's scale?
-- Formula: raw score (mean over presentations, then repeats) - mean of the controls' scores for
--     the same judge, leaf, reference mode and task + the anchor of the leaf.
-- Missing: normalised is NULL for a leaf without an anchor and where no control was scored;
--     n_control counts the controls.
-- Replaces: none
-- Known issue: none
CREATE OR REPLACE VIEW bench.anchor_normalised_v1 AS
WITH repeat_score AS (
    SELECT
        answer.benchmark,
        answer.writing_id,
        answer.item_id,
        answer.system,
        answer.task,
        answer.leaf,
        answer.judge,
        answer.reference_mode,
        answer.repeat,
        avg(answer.score) AS score
    FROM bench.leaf_answer_v1 AS answer
    WHERE
        answer.score IS NOT NULL
        AND answer.perturbation IS NULL
        AND answer.judge <> 'rule'
    GROUP BY
        answer.benchmark,
        answer.writing_id,
        answer.item_id,
        answer.system,
        answer.task,
        answer.leaf,
        answer.judge,
        answer.reference_mode,
        answer.repeat
),

writing_score AS (
    SELECT
        repeat_score.benchmark,
        repeat_score.writing_id,
        repeat_score.item_id,
        repeat_score.system,
        repeat_score.task,
        repeat_score.leaf,
        repeat_score.judge,
        repeat_score.reference_mode,
        avg(repeat_score.score) AS score
    FROM repeat_score
    GROUP BY
        repeat_score.benchmark,
        repeat_score.writing_id,
        repeat_score.item_id,
        repeat_score.system,
        repeat_score.task,
        repeat_score.leaf,
        repeat_score.judge,
        repeat_score.reference_mode
),

control AS (
    SELECT
        writing_score.benchmark,
        writing_score.task,
        writing_score.leaf,
        writing_score.judge,
        writing_score.reference_mode,
        avg(writing_score.score) AS score,
        count(*) AS n_control
    FROM writing_score
    WHERE writing_score.system = 'reference'
    GROUP BY
        writing_score.benchmark,
        writing_score.task,
        writing_score.leaf,
        writing_score.judge,
        writing_score.reference_mode
)

SELECT
    writing_score.benchmark,
    writing_score.writing_id,
    writing_score.leaf,
    writing_score.judge,
    writing_score.reference_mode,
    writing_score.item_id,
    writing_score.system,
    writing_score.task,
    writing_score.score,
    control.score AS control_score,
    leaf.anchor,
    writing_score.score - control.score + leaf.anchor AS normalised,
    coalesce(control.n_control, 0) AS n_control
FROM writing_score
INNER JOIN judge.leaf AS leaf ON leaf.leaf = writing_score.leaf
LEFT JOIN control
    ON
        control.benchmark = writing_score.benchmark
        AND control.task = writing_score.task
        AND control.leaf = writing_score.leaf
        AND control.judge = writing_score.judge
        AND control.reference_mode = writing_score.reference_mode;

COMMENT ON VIEW bench.anchor_normalised_v1 IS
'Leaf scores moved so that the human text of a task lies at the anchor.';
