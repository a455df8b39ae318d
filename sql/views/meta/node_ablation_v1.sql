-- Grain: benchmark, tree, node, judge, reference_mode, ablation, criterion, scope, coefficient
-- Answers: Does a tree agree better or worse with people without a node, or with that node alone?
-- Formula: rated writings scored with the weights of ablated_weight_v1, then the coefficients of
--     system_coefficient_v1 (HoWToBench Table 5: drop = w/o, keep = w); whole_value = that of the
--     whole tree for the same judge and scope. A panel averages its judges.
-- Missing: value and p are NULL below three systems or where one side is constant; n counts the
--     systems, n_writing the complete pairs.
-- Replaces: none
-- Known issue: none
-- Snapshot: yes
CREATE OR REPLACE VIEW bench.node_ablation_v1 AS
WITH rated AS (
    SELECT DISTINCT
        human_score.benchmark,
        human_score.writing_id
    FROM bench.human_score_v1 AS human_score
    WHERE NOT human_score.is_control AND human_score.perturbation IS NULL
),

judge_score AS (
    SELECT
        leaf_value.benchmark,
        leaf_value.writing_id,
        leaf_value.tree,
        ablated.node,
        ablated.ablation,
        leaf_value.judge,
        leaf_value.reference_mode,
        CASE
            WHEN
                count(
                    CASE
                        WHEN
                            ablated.weight IS NULL
                            OR (
                                ablated.weight <> CAST(0 AS DOUBLE)
                                AND leaf_value.value IS NULL
                            )
                            THEN 1
                    END
                ) = 0
                THEN
                    sum(
                        CASE
                            WHEN ablated.weight <> CAST(0 AS DOUBLE)
                                THEN ablated.weight * leaf_value.value
                            ELSE CAST(0 AS DOUBLE)
                        END
                    )
        END AS score
    FROM bench.leaf_value_v1 AS leaf_value
    INNER JOIN rated
        ON
            rated.benchmark = leaf_value.benchmark
            AND rated.writing_id = leaf_value.writing_id
    INNER JOIN bench.ablated_weight_v1 AS ablated
        ON
            ablated.benchmark = leaf_value.benchmark
            AND ablated.item_id = leaf_value.item_id
            AND ablated.tree = leaf_value.tree
            AND ablated.leaf = leaf_value.node
    GROUP BY
        leaf_value.benchmark,
        leaf_value.writing_id,
        leaf_value.tree,
        ablated.node,
        ablated.ablation,
        leaf_value.judge,
        leaf_value.reference_mode
),

score AS (
    SELECT
        judge_score.benchmark,
        judge_score.writing_id,
        judge_score.tree,
        judge_score.node,
        judge_score.ablation,
        judge_score.judge,
        judge_score.reference_mode,
        judge_score.score
    FROM judge_score
    UNION ALL
    SELECT
        judge_score.benchmark,
        judge_score.writing_id,
        judge_score.tree,
        judge_score.node,
        judge_score.ablation,
        concat('panel:', panel.panel) AS judge,
        judge_score.reference_mode,
        CASE
            WHEN count(judge_score.score) = panel.n_judge THEN avg(judge_score.score)
        END AS score
    FROM judge_score
    INNER JOIN bench.asked_panel_v1 AS panel
        ON panel.benchmark = judge_score.benchmark AND panel.judge = judge_score.judge
    GROUP BY
        judge_score.benchmark,
        judge_score.writing_id,
        judge_score.tree,
        judge_score.node,
        judge_score.ablation,
        panel.panel,
        judge_score.reference_mode,
        panel.n_judge
),

item_pair AS (
    SELECT
        score.benchmark,
        score.tree,
        score.node,
        score.ablation,
        score.judge,
        score.reference_mode,
        human_score.criterion,
        human_score.item_id,
        human_score.system,
        avg(score.score) AS method_score,
        avg(human_score.score) AS human_score,
        count(*) AS n_writing
    FROM score
    INNER JOIN bench.human_score_v1 AS human_score
        ON
            human_score.benchmark = score.benchmark
            AND human_score.writing_id = score.writing_id
    WHERE score.score IS NOT NULL
    GROUP BY
        score.benchmark,
        score.tree,
        score.node,
        score.ablation,
        score.judge,
        score.reference_mode,
        human_score.criterion,
        human_score.item_id,
        human_score.system
),

system_mean AS (
    SELECT
        item_pair.benchmark,
        item_pair.tree,
        item_pair.node,
        item_pair.ablation,
        item_pair.judge,
        item_pair.reference_mode,
        item_pair.criterion,
        item_scope.scope,
        item_pair.system,
        avg(item_pair.method_score) AS x,
        avg(item_pair.human_score) AS y,
        sum(item_pair.n_writing) AS n_writing
    FROM item_pair
    INNER JOIN corpus.item_scope AS item_scope
        ON
            item_scope.benchmark = item_pair.benchmark
            AND item_scope.item_id = item_pair.item_id
    GROUP BY
        item_pair.benchmark,
        item_pair.tree,
        item_pair.node,
        item_pair.ablation,
        item_pair.judge,
        item_pair.reference_mode,
        item_pair.criterion,
        item_scope.scope,
        item_pair.system
),

series AS (
    SELECT
        system_mean.benchmark,
        system_mean.tree,
        system_mean.node,
        system_mean.ablation,
        system_mean.judge,
        system_mean.reference_mode,
        system_mean.criterion,
        system_mean.scope,
        system_mean.x,
        system_mean.y,
        system_mean.n_writing,
        dense_rank() OVER (
            ORDER BY
                system_mean.benchmark,
                system_mean.tree,
                system_mean.node,
                system_mean.ablation,
                system_mean.judge,
                system_mean.reference_mode,
                system_mean.criterion,
                system_mean.scope
        ) AS series_key
    FROM system_mean
),

ranked AS (
    SELECT
        series.benchmark,
        series.tree,
        series.node,
        series.ablation,
        series.judge,
        series.reference_mode,
        series.criterion,
        series.scope,
        series.n_writing,
        correlation_row_v1(series.x, series.y, series.series_key) AS pair
    FROM series
),

coefficient AS (
    SELECT
        ranked.benchmark,
        ranked.tree,
        ranked.node,
        ranked.ablation,
        ranked.judge,
        ranked.reference_mode,
        ranked.criterion,
        ranked.scope,
        count(*) AS n,
        CAST(sum(ranked.n_writing) AS BIGINT) AS n_writing,
        correlations_v1(ranked.pair) AS known
    FROM ranked
    GROUP BY
        ranked.benchmark,
        ranked.tree,
        ranked.node,
        ranked.ablation,
        ranked.judge,
        ranked.reference_mode,
        ranked.criterion,
        ranked.scope
),

whole AS (
    SELECT
        coefficient.benchmark,
        coefficient.tree,
        coefficient.judge,
        coefficient.reference_mode,
        coefficient.criterion,
        coefficient.scope,
        coefficient.known
    FROM coefficient
    INNER JOIN bench.node_number_v1 AS node
        ON
            node.benchmark = coefficient.benchmark
            AND node.tree = coefficient.tree
            AND node.node = coefficient.node
            AND node.is_root
    WHERE coefficient.ablation = 'keep'
)

SELECT
    coefficient.benchmark,
    coefficient.tree,
    coefficient.node,
    coefficient.judge,
    coefficient.reference_mode,
    coefficient.ablation,
    coefficient.criterion,
    coefficient.scope,
    name.coefficient,
    correlation_value_v1(name.coefficient, coefficient.known) AS value,
    correlation_value_p_v1(name.coefficient, coefficient.known) AS p,
    correlation_value_v1(name.coefficient, whole.known) AS whole_value,
    coefficient.n,
    coefficient.n_writing
FROM coefficient
LEFT JOIN whole
    ON
        whole.benchmark = coefficient.benchmark
        AND whole.tree = coefficient.tree
        AND whole.judge = coefficient.judge
        AND whole.reference_mode = coefficient.reference_mode
        AND whole.criterion = coefficient.criterion
        AND whole.scope = coefficient.scope
CROSS JOIN (VALUES ('pearson'), ('spearman'), ('kendall')) AS name (coefficient);

COMMENT ON VIEW bench.node_ablation_v1 IS
'Correlation with people of trees that lack a node, or consist of it.';
