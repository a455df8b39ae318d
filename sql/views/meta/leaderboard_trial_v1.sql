-- Grain: benchmark, tree, judge, reference_mode, system, kind, trial
-- Answers: Which score would a system have on the leaderboard, had something been otherwise?
-- Formula: mean over items of the tree score with other items (kind items: resamples of
--     item_draw_v1), other weights or without a leaf (weights, leaf: trial_weight_v1), or without a
--     judge of the panel (judge). Kind none, trial 0 = score of leaderboard_v1, scope all.
-- Missing: writings without a tree score do not count. No control, no perturbed writing; kind judge
--     only for panels of two or more.
-- Replaces: none
-- Known issue: none
CREATE OR REPLACE VIEW bench.leaderboard_trial_v1 AS
-- A judge by itself, and the seats of every panel.
WITH seat AS (
    SELECT
        number.benchmark,
        number.judge,
        number.reference_mode,
        number.judging_key,
        CAST(1 AS BIGINT) AS n_judge
    FROM bench.judging_number_v1 AS number
    WHERE number.run_key = 0
    UNION ALL
    SELECT
        number.benchmark,
        concat('panel:', panel.panel) AS judge,
        number.reference_mode,
        number.judging_key,
        panel.n_judge
    FROM bench.judging_number_v1 AS number
    INNER JOIN bench.asked_panel_v1 AS panel
        ON panel.benchmark = number.benchmark AND panel.judge = number.judge
    WHERE number.run_key = 0
),

rater AS (
    SELECT
        seat.benchmark,
        seat.judge,
        seat.reference_mode,
        seat.judging_key,
        seat.n_judge,
        CAST(
            dense_rank() OVER (ORDER BY seat.benchmark, seat.judge, seat.reference_mode) AS INTEGER
        ) AS rater_key
    FROM seat
),

tree_node AS (
    SELECT
        node.node_key,
        node.benchmark,
        node.tree,
        CAST(dense_rank() OVER (ORDER BY node.benchmark, node.tree) AS INTEGER) AS tree_key
    FROM bench.node_number_v1 AS node
),

writing AS (
    SELECT
        writing.writing_key,
        writing.item_key,
        writing.system
    FROM bench.writing_number_v1 AS writing
    WHERE writing.perturbation IS NULL AND writing.system <> 'reference'
),

judge_root AS (
    SELECT
        node_sum.writing_key,
        node_sum.judging_key,
        tree_node.tree_key,
        node_sum.score
    FROM bench.node_sum_v1 AS node_sum
    INNER JOIN tree_node ON tree_node.node_key = node_sum.node_key
    WHERE node_sum.is_root AND node_sum.run_key = 0 AND node_sum.score IS NOT NULL
),

-- Writings that a judge, or every judge of a panel, has scored.
complete AS (
    SELECT
        judge_root.writing_key,
        rater.rater_key,
        judge_root.tree_key,
        avg(judge_root.score) AS score
    FROM judge_root
    INNER JOIN rater ON rater.judging_key = judge_root.judging_key
    GROUP BY judge_root.writing_key, rater.rater_key, judge_root.tree_key, rater.n_judge
    HAVING count(*) = rater.n_judge
),

item_score AS (
    SELECT
        writing.item_key,
        writing.system,
        complete.rater_key,
        complete.tree_key,
        avg(complete.score) AS score
    FROM complete
    INNER JOIN writing ON writing.writing_key = complete.writing_key
    GROUP BY writing.item_key, writing.system, complete.rater_key, complete.tree_key
),

plain AS (
    SELECT
        item_score.rater_key,
        item_score.tree_key,
        item_score.system,
        avg(item_score.score) AS score,
        count(*) AS n_item
    FROM item_score
    GROUP BY item_score.rater_key, item_score.tree_key, item_score.system
),

scope_item AS (
    SELECT
        scope_item.benchmark,
        scope_item.base_scope,
        scope_item.position,
        item.item_key
    FROM bench.scope_item_v1 AS scope_item
    INNER JOIN bench.item_number_v1 AS item
        ON
            item.benchmark = scope_item.benchmark
            AND item.item_id = scope_item.item_id
    WHERE scope_item.pool = 'accepted' AND scope_item.scope = 'all'
),

rater_name AS (
    SELECT DISTINCT
        rater.rater_key,
        rater.benchmark,
        rater.judge,
        rater.reference_mode
    FROM rater
),

item_vector AS (
    SELECT
        scope_item.benchmark,
        scope_item.base_scope,
        plain.rater_key,
        plain.tree_key,
        plain.system,
        vector_v1(coalesce(item_score.score, 0), scope_item.position) AS scores,
        vector_v1(
            CASE WHEN item_score.score IS NULL THEN 0 ELSE 1 END, scope_item.position
        ) AS present
    FROM plain
    INNER JOIN rater_name ON rater_name.rater_key = plain.rater_key
    INNER JOIN scope_item ON scope_item.benchmark = rater_name.benchmark
    LEFT JOIN item_score
        ON
            item_score.item_key = scope_item.item_key
            AND item_score.rater_key = plain.rater_key
            AND item_score.tree_key = plain.tree_key
            AND item_score.system = plain.system
    GROUP BY
        scope_item.benchmark,
        scope_item.base_scope,
        plain.rater_key,
        plain.tree_key,
        plain.system
),

-- Leaf values of complete writings, averaged over judges and writings: the score is their sum with
-- the weights of the item, whatever those are.
writing_leaf AS (
    SELECT
        point.writing_key,
        point.item_key,
        point.leaf_key,
        rater.rater_key,
        tree_node.tree_key,
        avg(point.value) AS value
    FROM bench.leaf_point_v1 AS point
    INNER JOIN rater ON rater.judging_key = point.judging_key
    INNER JOIN tree_node ON tree_node.node_key = point.leaf_key
    INNER JOIN complete
        ON
            complete.writing_key = point.writing_key
            AND complete.rater_key = rater.rater_key
            AND complete.tree_key = tree_node.tree_key
    WHERE point.run_key = 0
    GROUP BY
        point.writing_key,
        point.item_key,
        point.leaf_key,
        rater.rater_key,
        tree_node.tree_key
),

item_leaf AS (
    SELECT
        writing_leaf.item_key,
        writing_leaf.leaf_key,
        writing_leaf.rater_key,
        writing_leaf.tree_key,
        writing.system,
        coalesce(avg(writing_leaf.value), CAST(0 AS DOUBLE)) AS value
    FROM writing_leaf
    INNER JOIN writing ON writing.writing_key = writing_leaf.writing_key
    GROUP BY
        writing_leaf.item_key,
        writing_leaf.leaf_key,
        writing_leaf.rater_key,
        writing_leaf.tree_key,
        writing.system
),

cell AS (
    SELECT
        path.item_key,
        path.leaf_key,
        tree_node.tree_key,
        row_number() OVER (
            PARTITION BY tree_node.tree_key ORDER BY path.item_key, path.leaf_key
        ) AS position
    FROM bench.path_point_v1 AS path
    INNER JOIN tree_node ON tree_node.node_key = path.leaf_key
    WHERE path.is_root
),

leaf_vector AS (
    SELECT
        cell.tree_key,
        plain.rater_key,
        plain.system,
        plain.n_item,
        vector_v1(coalesce(item_leaf.value, CAST(0 AS DOUBLE)), cell.position) AS leaf_values
    FROM plain
    INNER JOIN cell ON cell.tree_key = plain.tree_key
    LEFT JOIN item_leaf
        ON
            item_leaf.item_key = cell.item_key
            AND item_leaf.leaf_key = cell.leaf_key
            AND item_leaf.rater_key = plain.rater_key
            AND item_leaf.system = plain.system
    GROUP BY cell.tree_key, plain.rater_key, plain.system, plain.n_item
),

trial_weight AS (
    SELECT
        weight.item_key,
        weight.leaf_key,
        tree_node.tree_key,
        weight.kind,
        weight.trial,
        weight.weight
    FROM bench.trial_weight_v1 AS weight
    INNER JOIN tree_node ON tree_node.node_key = weight.leaf_key
),

trial AS (
    SELECT DISTINCT
        trial_weight.tree_key,
        trial_weight.kind,
        trial_weight.trial
    FROM trial_weight
),

weight_vector AS (
    SELECT
        trial.tree_key,
        trial.kind,
        trial.trial,
        vector_v1(coalesce(weight.weight, CAST(0 AS DOUBLE)), cell.position) AS weights
    FROM trial
    INNER JOIN cell ON cell.tree_key = trial.tree_key
    LEFT JOIN trial_weight AS weight
        ON
            weight.item_key = cell.item_key
            AND weight.leaf_key = cell.leaf_key
            AND weight.kind = trial.kind
            AND weight.trial = trial.trial
    GROUP BY trial.tree_key, trial.kind, trial.trial
),

-- The panel without one judge: what is left of n means when one is taken out of their mean.
judge_item AS (
    SELECT
        writing.item_key,
        writing.system,
        complete.rater_key,
        complete.tree_key,
        rater.judging_key,
        avg(
            (CAST(rater.n_judge AS DOUBLE) * complete.score - judge_root.score)
            / CAST(rater.n_judge - 1 AS DOUBLE)
        ) AS score
    FROM complete
    INNER JOIN rater ON rater.rater_key = complete.rater_key AND rater.n_judge > 1
    INNER JOIN judge_root
        ON
            judge_root.writing_key = complete.writing_key
            AND judge_root.tree_key = complete.tree_key
            AND judge_root.judging_key = rater.judging_key
    INNER JOIN writing ON writing.writing_key = complete.writing_key
    GROUP BY
        writing.item_key,
        writing.system,
        complete.rater_key,
        complete.tree_key,
        rater.judging_key
),

trial_score AS (
    SELECT
        plain.rater_key,
        plain.tree_key,
        plain.system,
        'none' AS kind,
        CAST(0 AS INTEGER) AS trial,
        plain.score
    FROM plain
    UNION ALL
    SELECT
        item_vector.rater_key,
        item_vector.tree_key,
        item_vector.system,
        'items' AS kind,
        draw.resample AS trial,
        resampled_mean_v1(item_vector.scores, item_vector.present, draw.counts) AS score
    FROM item_vector
    INNER JOIN bench.item_draw_v1 AS draw
        ON
            draw.benchmark = item_vector.benchmark
            AND draw.pool = 'accepted'
            AND draw.base_scope = item_vector.base_scope
    UNION ALL
    SELECT
        leaf_vector.rater_key,
        leaf_vector.tree_key,
        leaf_vector.system,
        weight_vector.kind,
        weight_vector.trial,
        dot_product_v1(weight_vector.weights, leaf_vector.leaf_values)
        / CAST(leaf_vector.n_item AS DOUBLE) AS score
    FROM leaf_vector
    INNER JOIN weight_vector ON weight_vector.tree_key = leaf_vector.tree_key
    UNION ALL
    SELECT
        judge_item.rater_key,
        judge_item.tree_key,
        judge_item.system,
        'judge' AS kind,
        judge_item.judging_key AS trial,
        avg(judge_item.score) AS score
    FROM judge_item
    GROUP BY
        judge_item.rater_key,
        judge_item.tree_key,
        judge_item.system,
        judge_item.judging_key
),

tree_name AS (
    SELECT DISTINCT
        tree_node.tree_key,
        tree_node.tree
    FROM tree_node
)

SELECT
    rater_name.benchmark,
    tree_name.tree,
    rater_name.judge,
    rater_name.reference_mode,
    trial_score.system,
    trial_score.kind,
    trial_score.trial,
    trial_score.score
FROM trial_score
INNER JOIN rater_name ON rater_name.rater_key = trial_score.rater_key
INNER JOIN tree_name ON tree_name.tree_key = trial_score.tree_key;

COMMENT ON VIEW bench.leaderboard_trial_v1 IS
'Leaderboard scores under other items, weights, leaves and judges.';
