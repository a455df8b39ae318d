-- Grain: benchmark, writing_id, tree, node, judge, reference_mode
-- Answers: Which value does a judge give the leaf of a tree for a writing?
-- Formula: current raw scores, each mapped to the node's scale, averaged over presentations, then
--     over repeats (SPEC 4). Leaves without reference appear under every asked reference mode,
--     rule leaves under every asked judge as well.
-- Missing: value is NULL when nothing was scored; n_score of n_asked says how much of it rests on
--     what was asked. Withdrawn and not imported writings have no row.
-- Replaces: none
-- Known issue: none
CREATE OR REPLACE VIEW bench.leaf_value_v1 AS
WITH writing AS (
    SELECT
        writing.benchmark,
        writing.writing_id,
        writing.item_id,
        writing.system,
        writing.perturbation,
        item.task,
        -- numbers stand in for names where millions of rows are grouped
        row_number() OVER (ORDER BY writing.benchmark, writing.writing_id) AS writing_key
    FROM corpus.writing AS writing
    INNER JOIN corpus.item AS item
        ON item.benchmark = writing.benchmark AND item.item_id = writing.item_id
    WHERE
        item.status = 'accepted'
        AND writing.status NOT IN ('withdrawn', 'not_imported')
),

input AS (
    SELECT
        leaf_input.benchmark,
        leaf_input.writing_id,
        leaf_input.leaf,
        leaf_input.reference_mode,
        leaf_input.prompt_id,
        leaf_input.input_hash,
        leaf_input.parser_version,
        writing.writing_key
    FROM bench.leaf_input_v1 AS leaf_input
    INNER JOIN writing
        ON
            writing.benchmark = leaf_input.benchmark
            AND writing.writing_id = leaf_input.writing_id
),

tree_leaf AS (
    SELECT
        task_node.benchmark,
        task_node.tree,
        task_node.task,
        task_node.node,
        task_node.leaf,
        task_node.map,
        task_node.map_args
    FROM bench.task_node_v1 AS task_node
    WHERE task_node.leaf IS NOT NULL
),

distinct_map AS (
    SELECT DISTINCT
        tree_leaf.benchmark,
        tree_leaf.leaf,
        tree_leaf.map,
        tree_leaf.map_args
    FROM tree_leaf
),

-- One series per judge, mode and map of a leaf: trees that map a leaf alike share it.
series AS (
    SELECT
        judging.benchmark,
        judging.leaf,
        judging.judge,
        judging.reference_mode,
        judging.presentation,
        judging.repeat,
        distinct_map.map,
        distinct_map.map_args,
        dense_rank() OVER (
            ORDER BY
                judging.benchmark,
                judging.leaf,
                judging.judge,
                judging.reference_mode,
                distinct_map.map,
                CAST(distinct_map.map_args AS VARCHAR)
        ) AS series_key
    FROM bench.asked_judging_v1 AS judging
    INNER JOIN distinct_map
        ON
            distinct_map.benchmark = judging.benchmark
            AND distinct_map.leaf = judging.leaf
),

-- LEFT JOIN keeps the engine from joining inputs and series first, which takes four times as long;
-- scores of no asked series end in a group without series_key, which nothing reads.
repeat_value AS (
    SELECT
        input.writing_key,
        series.series_key,
        leaf_score.repeat,
        avg(map_score_v1(leaf_score.score, series.map, series.map_args)) AS value,
        count(map_score_v1(leaf_score.score, series.map, series.map_args)) AS n_score
    FROM judge.leaf_score AS leaf_score
    INNER JOIN input
        ON
            input.benchmark = leaf_score.benchmark
            AND input.writing_id = leaf_score.writing_id
            AND input.leaf = leaf_score.leaf
            AND input.reference_mode = leaf_score.reference_mode
            AND input.prompt_id = leaf_score.prompt_id
            AND input.input_hash = leaf_score.input_hash
            AND input.parser_version = leaf_score.parser_version
    LEFT JOIN series
        ON
            series.benchmark = leaf_score.benchmark
            AND series.leaf = leaf_score.leaf
            AND series.judge = leaf_score.judge
            AND series.reference_mode = leaf_score.reference_mode
            AND series.presentation = leaf_score.presentation
            AND series.repeat = leaf_score.repeat
    WHERE leaf_score.score IS NOT NULL
    GROUP BY input.writing_key, series.series_key, leaf_score.repeat
),

judge_value AS (
    SELECT
        repeat_value.writing_key,
        repeat_value.series_key,
        avg(repeat_value.value) AS value,
        sum(repeat_value.n_score) AS n_score
    FROM repeat_value
    GROUP BY repeat_value.writing_key, repeat_value.series_key
),

series_size AS (
    SELECT
        series.benchmark,
        series.leaf,
        series.judge,
        series.reference_mode,
        series.map,
        series.map_args,
        series.series_key,
        count(*) AS n_asked
    FROM series
    GROUP BY
        series.benchmark,
        series.leaf,
        series.judge,
        series.reference_mode,
        series.map,
        series.map_args,
        series.series_key
),

-- Under which judge and mode a leaf is shown, and which series it shows.
fan_out AS (
    SELECT
        tree_leaf.benchmark,
        tree_leaf.tree,
        tree_leaf.task,
        tree_leaf.node,
        tree_leaf.leaf,
        judge.name AS judge,
        mode.name AS reference_mode,
        series_size.series_key,
        series_size.n_asked
    FROM tree_leaf
    INNER JOIN judge.leaf AS leaf ON leaf.leaf = tree_leaf.leaf
    INNER JOIN run.asked AS judge
        ON judge.benchmark = tree_leaf.benchmark AND judge.kind = 'judge'
    INNER JOIN run.asked AS mode
        ON mode.benchmark = tree_leaf.benchmark AND mode.kind = 'reference_mode'
    INNER JOIN series_size
        ON
            series_size.benchmark = tree_leaf.benchmark
            AND series_size.leaf = tree_leaf.leaf
            AND series_size.map = tree_leaf.map
            AND series_size.map_args = tree_leaf.map_args
            AND series_size.judge = CASE WHEN leaf.kind = 'rule' THEN 'rule' ELSE judge.name END
            AND series_size.reference_mode
            = CASE WHEN leaf.uses_reference THEN mode.name ELSE 'none' END
)

SELECT
    writing.benchmark,
    writing.writing_id,
    fan_out.tree,
    fan_out.node,
    fan_out.judge,
    fan_out.reference_mode,
    writing.item_id,
    writing.system,
    writing.perturbation,
    fan_out.leaf,
    judge_value.value,
    CAST(coalesce(judge_value.n_score, 0) AS BIGINT) AS n_score,
    fan_out.n_asked
FROM writing
INNER JOIN fan_out ON fan_out.benchmark = writing.benchmark AND fan_out.task = writing.task
LEFT JOIN judge_value
    ON
        judge_value.writing_key = writing.writing_key
        AND judge_value.series_key = fan_out.series_key;

COMMENT ON VIEW bench.leaf_value_v1 IS
'Value of every leaf of the asked trees for a writing, per judge and reference mode.';
