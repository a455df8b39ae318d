-- Grain: benchmark, writing_id, tree, judge, reference_mode
-- Answers: Between which scores does a writing lie, whatever its missing leaves would have been?
-- Formula: path weight x leaf value; a missing leaf is put at the end of its scale that the sign
--     of its weight makes worst (score_low) or best (score_high), a node whose children have no
--     weights likewise at the ends of its own scale. A panel averages the bounds of its judges.
-- Missing: never NULL. is_complete = every leaf of non-zero weight has a value and all weights are
--     known; then both bounds are the tree score. With everything missing they are scale_low and
--     scale_high.
-- Replaces: none
-- Known issue: a negative weight inside a node without weights could leave the node's scale.
CREATE OR REPLACE VIEW bench.score_bounds_v1 AS
-- What the leaves that have a value take off the width of the scale.
WITH ending AS (
    SELECT
        item.item_key,
        node.node_key AS leaf_key,
        ending.weight,
        ending.worst,
        ending.best
    FROM bench.root_ending_v1 AS ending
    INNER JOIN bench.item_number_v1 AS item
        ON item.benchmark = ending.benchmark AND item.item_id = ending.item_id
    INNER JOIN bench.node_number_v1 AS node
        ON
            node.benchmark = ending.benchmark
            AND node.tree = ending.tree
            AND node.node = ending.node
    WHERE ending.is_leaf
),

leaf_tree AS (
    SELECT
        node.node_key AS leaf_key,
        node.tree,
        CAST(dense_rank() OVER (ORDER BY node.benchmark, node.tree) AS INTEGER) AS tree_key
    FROM bench.node_number_v1 AS node
),

summed AS (
    SELECT
        point.writing_key,
        point.judging_key,
        leaf_tree.tree_key,
        coalesce(
            sum(
                CASE
                    WHEN point.value IS NOT NULL
                        THEN ending.weight * point.value - ending.worst
                END
            ),
            CAST(0 AS DOUBLE)
        ) AS above_worst,
        coalesce(
            sum(
                CASE
                    WHEN point.value IS NOT NULL
                        THEN ending.best - ending.weight * point.value
                END
            ),
            CAST(0 AS DOUBLE)
        ) AS below_best,
        count(
            CASE
                WHEN
                    ending.weight IS NULL
                    OR (ending.weight <> CAST(0 AS DOUBLE) AND point.value IS NULL)
                    THEN 1
            END
        ) AS n_missing
    FROM bench.leaf_point_v1 AS point
    INNER JOIN leaf_tree ON leaf_tree.leaf_key = point.leaf_key
    LEFT JOIN ending
        ON
            ending.item_key = point.item_key
            AND ending.leaf_key = point.leaf_key
    WHERE point.run_key = 0
    GROUP BY point.writing_key, point.judging_key, leaf_tree.tree_key
),

tree_name AS (
    SELECT DISTINCT
        leaf_tree.tree_key,
        leaf_tree.tree
    FROM leaf_tree
),

scored AS (
    SELECT
        writing.benchmark,
        writing.writing_id,
        writing.item_id,
        writing.system,
        writing.perturbation,
        tree_name.tree,
        judging.judge,
        judging.reference_mode,
        summed.above_worst,
        summed.below_best,
        summed.n_missing
    FROM summed
    INNER JOIN tree_name ON tree_name.tree_key = summed.tree_key
    INNER JOIN bench.writing_number_v1 AS writing ON writing.writing_key = summed.writing_key
    INNER JOIN bench.judging_number_v1 AS judging
        ON judging.judging_key = summed.judging_key AND judging.run_key = 0
),

judge_bounds AS (
    SELECT
        scored.benchmark,
        scored.writing_id,
        scored.item_id,
        scored.system,
        scored.perturbation,
        scored.tree,
        scored.judge,
        scored.reference_mode,
        item_scale.scale_low + scored.above_worst AS score_low,
        item_scale.scale_high - scored.below_best AS score_high,
        item_scale.scale_low,
        item_scale.scale_high,
        scored.n_missing = 0 AS is_complete
    FROM scored
    INNER JOIN bench.item_scale_v1 AS item_scale
        ON
            item_scale.benchmark = scored.benchmark
            AND item_scale.item_id = scored.item_id
            AND item_scale.tree = scored.tree
)

SELECT
    judge_bounds.benchmark,
    judge_bounds.writing_id,
    judge_bounds.tree,
    judge_bounds.judge,
    judge_bounds.reference_mode,
    judge_bounds.item_id,
    judge_bounds.system,
    judge_bounds.perturbation,
    judge_bounds.score_low,
    judge_bounds.score_high,
    judge_bounds.scale_low,
    judge_bounds.scale_high,
    judge_bounds.is_complete
FROM judge_bounds
UNION ALL
SELECT
    judge_bounds.benchmark,
    judge_bounds.writing_id,
    judge_bounds.tree,
    concat('panel:', panel.panel) AS judge,
    judge_bounds.reference_mode,
    judge_bounds.item_id,
    judge_bounds.system,
    judge_bounds.perturbation,
    avg(judge_bounds.score_low) AS score_low,
    avg(judge_bounds.score_high) AS score_high,
    max(judge_bounds.scale_low) AS scale_low,
    max(judge_bounds.scale_high) AS scale_high,
    count(CASE WHEN NOT judge_bounds.is_complete THEN 1 END) = 0 AS is_complete
FROM judge_bounds
INNER JOIN bench.asked_panel_v1 AS panel
    ON panel.benchmark = judge_bounds.benchmark AND panel.judge = judge_bounds.judge
GROUP BY
    judge_bounds.benchmark,
    judge_bounds.writing_id,
    judge_bounds.tree,
    panel.panel,
    judge_bounds.reference_mode,
    judge_bounds.item_id,
    judge_bounds.system,
    judge_bounds.perturbation;

COMMENT ON VIEW bench.score_bounds_v1 IS
'Lowest and highest score a writing can have, given its missing leaves and weights.';
