-- Grain: benchmark, writing_id, tree, judge, reference_mode, run
-- Answers: Which tree score does one repeat of a judge give, and which the first n together?
-- Formula: as tree_score_v1, over the leaf scores of one repeat (run repeat:k) or of the repeats 0
--     to n - 1 averaged leaf by leaf (run sc:n, self-consistency, n from 2 to the repeats asked
--     for). A rule leaf has one score, which serves every run. A panel averages its judges.
-- Missing: no row for a judge that is asked once; score is NULL when a leaf of non-zero or unknown
--     weight has no value in the run, a panel's when a judge of it lacks the score.
-- Replaces: none
-- Known issue: none
CREATE OR REPLACE VIEW bench.repeat_score_v1 AS
WITH run AS (
    SELECT
        asked.benchmark,
        asked.name AS judge,
        concat('repeat:', CAST(number.n AS VARCHAR)) AS run,
        number.n AS first_repeat,
        number.n AS last_repeat
    FROM run.asked AS asked
    INNER JOIN run.number AS number ON number.n < asked.repeats
    WHERE asked.kind = 'judge' AND asked.repeats > 1
    UNION ALL
    SELECT
        asked.benchmark,
        asked.name AS judge,
        concat('sc:', CAST(number.n AS VARCHAR)) AS run,
        0 AS first_repeat,
        number.n - 1 AS last_repeat
    FROM run.asked AS asked
    INNER JOIN run.number AS number ON number.n BETWEEN 2 AND asked.repeats
    WHERE asked.kind = 'judge'
),

current_score AS (
    SELECT
        input.benchmark,
        input.writing_id,
        input.item_id,
        input.system,
        input.perturbation,
        input.task,
        input.leaf,
        input.kind,
        leaf_score.judge,
        leaf_score.reference_mode,
        leaf_score.presentation,
        leaf_score.repeat,
        leaf_score.score
    FROM judge.leaf_score AS leaf_score
    INNER JOIN bench.leaf_input_v1 AS input
        ON
            input.benchmark = leaf_score.benchmark
            AND input.writing_id = leaf_score.writing_id
            AND input.leaf = leaf_score.leaf
            AND input.reference_mode = leaf_score.reference_mode
            AND input.prompt_id = leaf_score.prompt_id
            AND input.input_hash = leaf_score.input_hash
            AND input.parser_version = leaf_score.parser_version
    INNER JOIN bench.asked_judging_v1 AS judging
        ON
            judging.benchmark = leaf_score.benchmark
            AND judging.leaf = leaf_score.leaf
            AND judging.judge = leaf_score.judge
            AND judging.reference_mode = leaf_score.reference_mode
            AND judging.presentation = leaf_score.presentation
            AND judging.repeat = leaf_score.repeat
    WHERE leaf_score.score IS NOT NULL
),

-- Presentations are averaged within a repeat, on the scale of the node.
repeat_value AS (
    SELECT
        score.benchmark,
        score.writing_id,
        score.item_id,
        score.system,
        score.perturbation,
        score.kind,
        score.judge,
        score.reference_mode,
        score.repeat,
        task_node.tree,
        task_node.node,
        avg(map_score_v1(score.score, task_node.map, task_node.map_args)) AS value
    FROM current_score AS score
    INNER JOIN bench.task_node_v1 AS task_node
        ON
            task_node.benchmark = score.benchmark
            AND task_node.task = score.task
            AND task_node.leaf = score.leaf
    GROUP BY
        score.benchmark,
        score.writing_id,
        score.item_id,
        score.system,
        score.perturbation,
        score.kind,
        score.judge,
        score.reference_mode,
        score.repeat,
        task_node.tree,
        task_node.node
),

run_value AS (
    SELECT
        value.benchmark,
        value.writing_id,
        value.item_id,
        value.system,
        value.perturbation,
        value.tree,
        value.node,
        run.judge,
        mode.name AS reference_mode,
        run.run,
        avg(value.value) AS value
    FROM repeat_value AS value
    INNER JOIN run
        ON
            run.benchmark = value.benchmark
            AND (
                value.kind = 'rule'
                OR (
                    value.judge = run.judge
                    AND value.repeat BETWEEN run.first_repeat AND run.last_repeat
                )
            )
    INNER JOIN run.asked AS mode
        ON
            mode.benchmark = value.benchmark
            AND mode.kind = 'reference_mode'
            AND (value.reference_mode = mode.name OR value.reference_mode = 'none')
    INNER JOIN judge.tree_node AS tree_node
        ON tree_node.tree = value.tree AND tree_node.node = value.node
    INNER JOIN judge.leaf AS leaf
        ON
            leaf.leaf = tree_node.leaf
            AND (value.reference_mode = mode.name OR NOT leaf.uses_reference)
    GROUP BY
        value.benchmark,
        value.writing_id,
        value.item_id,
        value.system,
        value.perturbation,
        value.tree,
        value.node,
        run.judge,
        mode.name,
        run.run
),

cell AS (
    SELECT DISTINCT
        value.benchmark,
        value.writing_id,
        value.item_id,
        value.system,
        value.perturbation,
        value.tree,
        value.judge,
        value.reference_mode,
        value.run
    FROM run_value AS value
),

judge_score AS (
    SELECT
        cell.benchmark,
        cell.writing_id,
        cell.item_id,
        cell.system,
        cell.perturbation,
        cell.tree,
        cell.judge,
        cell.reference_mode,
        cell.run,
        CASE
            WHEN
                count(
                    CASE
                        WHEN
                            path.weight IS NULL
                            OR (path.weight <> CAST(0 AS DOUBLE) AND value.value IS NULL)
                            THEN 1
                    END
                ) = 0
                THEN
                    sum(
                        CASE
                            WHEN path.weight <> CAST(0 AS DOUBLE)
                                THEN path.weight * value.value
                            ELSE CAST(0 AS DOUBLE)
                        END
                    )
        END AS score
    FROM cell
    INNER JOIN bench.path_weight_v1 AS path
        ON
            path.benchmark = cell.benchmark
            AND path.item_id = cell.item_id
            AND path.tree = cell.tree
    LEFT JOIN run_value AS value
        ON
            value.benchmark = cell.benchmark
            AND value.writing_id = cell.writing_id
            AND value.tree = cell.tree
            AND value.judge = cell.judge
            AND value.reference_mode = cell.reference_mode
            AND value.run = cell.run
            AND value.node = path.descendant
    WHERE path.is_root_path AND path.is_leaf
    GROUP BY
        cell.benchmark,
        cell.writing_id,
        cell.item_id,
        cell.system,
        cell.perturbation,
        cell.tree,
        cell.judge,
        cell.reference_mode,
        cell.run
),

panel_score AS (
    SELECT
        judge_score.benchmark,
        judge_score.writing_id,
        judge_score.item_id,
        judge_score.system,
        judge_score.perturbation,
        judge_score.tree,
        concat('panel:', panel.panel) AS judge,
        judge_score.reference_mode,
        judge_score.run,
        CASE
            WHEN count(judge_score.score) = panel.n_judge THEN avg(judge_score.score)
        END AS score
    FROM judge_score
    INNER JOIN bench.asked_panel_v1 AS panel
        ON panel.benchmark = judge_score.benchmark AND panel.judge = judge_score.judge
    GROUP BY
        judge_score.benchmark,
        judge_score.writing_id,
        judge_score.item_id,
        judge_score.system,
        judge_score.perturbation,
        judge_score.tree,
        panel.panel,
        judge_score.reference_mode,
        judge_score.run,
        panel.n_judge
)

SELECT
    judge_score.benchmark,
    judge_score.writing_id,
    judge_score.tree,
    judge_score.judge,
    judge_score.reference_mode,
    judge_score.run,
    judge_score.item_id,
    judge_score.system,
    judge_score.perturbation,
    judge_score.score
FROM judge_score
UNION ALL
SELECT
    panel_score.benchmark,
    panel_score.writing_id,
    panel_score.tree,
    panel_score.judge,
    panel_score.reference_mode,
    panel_score.run,
    panel_score.item_id,
    panel_score.system,
    panel_score.perturbation,
    panel_score.score
FROM panel_score;

COMMENT ON VIEW bench.repeat_score_v1 IS
'Tree score of every single repeat and of the first n together, per judge and per panel.';
