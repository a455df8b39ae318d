-- Grain: benchmark, writing_key, judging_key, run_key, leaf_key
-- Answers: Which value has the leaf of a tree for a writing, in numbers instead of names?
-- Formula: current raw scores, each mapped to the node's scale, averaged over presentations, then
--     over the repeats of the run (SPEC 4). Leaves without reference appear under every asked
--     reference mode, rule leaves under every judge and run as well.
-- Missing: value is NULL when nothing was scored; n_score of n_asked says how much of it rests on
--     what was asked.
-- Replaces: none
-- Known issue: none
CREATE OR REPLACE VIEW bench.leaf_point_v1 AS
WITH input AS (
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
    INNER JOIN bench.writing_number_v1 AS writing
        ON
            writing.benchmark = leaf_input.benchmark
            AND writing.writing_id = leaf_input.writing_id
),

tree_leaf AS (
    SELECT
        task_node.benchmark,
        task_node.task,
        task_node.genre,
        task_node.leaf,
        task_node.map,
        task_node.map_args,
        node.node_key AS leaf_key
    FROM bench.task_node_v1 AS task_node
    INNER JOIN bench.node_number_v1 AS node
        ON
            node.benchmark = task_node.benchmark
            AND node.tree = task_node.tree
            AND node.node = task_node.node
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
        CAST(
            dense_rank() OVER (
                ORDER BY
                    judging.benchmark,
                    judging.leaf,
                    judging.judge,
                    judging.reference_mode,
                    distinct_map.map,
                    CAST(distinct_map.map_args AS VARCHAR)
            ) AS INTEGER
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

series_size AS (
    SELECT
        series.benchmark,
        series.leaf,
        series.judge,
        series.reference_mode,
        series.map,
        series.map_args,
        series.series_key,
        CAST(count(DISTINCT series.presentation) AS INTEGER) AS n_presentation
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

-- Under which judge, mode and run a leaf is shown, and which repeats of which series it shows.
fan_out AS (
    SELECT
        tree_leaf.benchmark,
        tree_leaf.task,
        tree_leaf.genre,
        tree_leaf.leaf_key,
        judging.judging_key,
        judging.run_key,
        series_size.series_key,
        CASE WHEN leaf.kind = 'rule' THEN 0 ELSE judging.first_repeat END AS first_repeat,
        CASE WHEN leaf.kind = 'rule' THEN 0 ELSE judging.last_repeat END AS last_repeat,
        series_size.n_presentation
    FROM tree_leaf
    INNER JOIN judge.leaf AS leaf ON leaf.leaf = tree_leaf.leaf
    INNER JOIN bench.judging_number_v1 AS judging ON judging.benchmark = tree_leaf.benchmark
    INNER JOIN series_size
        ON
            series_size.benchmark = tree_leaf.benchmark
            AND series_size.leaf = tree_leaf.leaf
            AND series_size.map = tree_leaf.map
            AND series_size.map_args = tree_leaf.map_args
            AND series_size.judge = CASE WHEN leaf.kind = 'rule' THEN 'rule' ELSE judging.judge END
            AND series_size.reference_mode
            = CASE WHEN leaf.uses_reference THEN judging.reference_mode ELSE 'none' END
),

span AS (
    SELECT DISTINCT
        fan_out.series_key,
        fan_out.run_key,
        fan_out.first_repeat,
        fan_out.last_repeat
    FROM fan_out
),

run_value AS (
    SELECT
        repeat_value.writing_key,
        repeat_value.series_key,
        span.run_key,
        avg(repeat_value.value) AS value,
        CAST(sum(repeat_value.n_score) AS BIGINT) AS n_score
    FROM repeat_value
    INNER JOIN span
        ON
            span.series_key = repeat_value.series_key
            AND repeat_value.repeat BETWEEN span.first_repeat AND span.last_repeat
    GROUP BY repeat_value.writing_key, repeat_value.series_key, span.run_key
)

SELECT
    fan_out.benchmark,
    writing.writing_key,
    writing.item_key,
    fan_out.judging_key,
    fan_out.run_key,
    fan_out.leaf_key,
    run_value.value,
    coalesce(run_value.n_score, CAST(0 AS BIGINT)) AS n_score,
    CAST(
        fan_out.n_presentation * (fan_out.last_repeat - fan_out.first_repeat + 1) AS BIGINT
    ) AS n_asked
FROM bench.writing_number_v1 AS writing
INNER JOIN fan_out
    ON
        fan_out.benchmark = writing.benchmark
        AND fan_out.task = writing.task
        AND fan_out.genre = writing.genre
LEFT JOIN run_value
    ON
        run_value.writing_key = writing.writing_key
        AND run_value.series_key = fan_out.series_key
        AND run_value.run_key = fan_out.run_key;

COMMENT ON VIEW bench.leaf_point_v1 IS
'Value of every leaf of the asked trees for a writing, by judge, mode and run, over numbers.';
