-- Grain: benchmark, method, scope
-- Answers: What does it cost to judge the writings that people rated by a method alone?
-- Formula: the calls behind the current leaf scores and negotiated weights of the node, each call
--     once: of all repeats, or of those that |repeat:k and |sc:n use; weights of negotiator repeat
--     0. A panel sums its judges. USD at the price of the day (HoWToBench Table 3, last column).
-- Missing: a method without a call of ours has no row: metrics, imported scores, rules. cost sums
--     what is known, n_cost_unknown calls have no known price.
-- Replaces: none
-- Known issue: methods that share leaves share calls, so that costs of methods do not add up.
-- Snapshot: yes
CREATE OR REPLACE VIEW bench.method_cost_v1 AS
WITH rated AS (
    SELECT DISTINCT
        human_score.benchmark,
        human_score.writing_id,
        human_score.item_id
    FROM bench.human_score_v1 AS human_score
    WHERE NOT human_score.is_control AND human_score.perturbation IS NULL
),

-- A leaf that sees no reference serves every mode that was asked for.
leaf_call AS (
    SELECT DISTINCT
        answer.benchmark,
        answer.item_id,
        answer.leaf,
        answer.judge,
        mode.name AS reference_mode,
        answer.repeat,
        answer.call_key
    FROM bench.leaf_answer_v1 AS answer
    INNER JOIN rated
        ON rated.benchmark = answer.benchmark AND rated.writing_id = answer.writing_id
    INNER JOIN judge.leaf AS leaf ON leaf.leaf = answer.leaf
    INNER JOIN run.asked AS mode
        ON
            mode.benchmark = answer.benchmark
            AND mode.kind = 'reference_mode'
            AND (answer.reference_mode = mode.name OR NOT leaf.uses_reference)
    WHERE answer.call_key IS NOT NULL
),

leaf_cost AS (
    SELECT
        leaf_call.benchmark,
        leaf_call.item_id,
        leaf_call.leaf,
        leaf_call.judge,
        leaf_call.reference_mode,
        leaf_call.repeat,
        count(*) AS n_call,
        sum(call.cost) AS cost,
        count(*) - count(call.cost) AS n_cost_unknown
    FROM leaf_call
    LEFT JOIN judge.call AS call ON call.call_key = leaf_call.call_key
    GROUP BY
        leaf_call.benchmark,
        leaf_call.item_id,
        leaf_call.leaf,
        leaf_call.judge,
        leaf_call.reference_mode,
        leaf_call.repeat
),

node_leaf AS (
    SELECT DISTINCT
        path.benchmark,
        path.item_id,
        path.tree,
        path.node,
        path.node = root.node AS is_root,
        leaf_node.leaf
    FROM bench.path_weight_v1 AS path
    INNER JOIN judge.tree_node AS leaf_node
        ON leaf_node.tree = path.tree AND leaf_node.node = path.descendant
    INNER JOIN judge.tree_node AS root
        ON root.tree = path.tree AND root.parent IS NULL
    WHERE leaf_node.leaf IS NOT NULL
),

-- What a method reads: all repeats of a judge (no suffix), one of them, or the first n.
run AS (
    SELECT
        judging.benchmark,
        judging.judge,
        judging.reference_mode,
        CASE WHEN judging.run_key = 0 THEN '' ELSE concat('|', judging.run) END AS run,
        judging.first_repeat,
        judging.last_repeat
    FROM bench.judging_number_v1 AS judging
),

panel_run AS (
    SELECT
        panel.benchmark,
        panel.panel,
        run.reference_mode,
        run.run
    FROM bench.asked_panel_v1 AS panel
    INNER JOIN run ON run.benchmark = panel.benchmark AND run.judge = panel.judge
    GROUP BY panel.benchmark, panel.panel, panel.n_judge, run.reference_mode, run.run
    HAVING count(*) = panel.n_judge
),

judged AS (
    SELECT
        node_leaf.benchmark,
        node_leaf.item_id,
        node_leaf.tree,
        node_leaf.node,
        leaf_cost.judge,
        leaf_cost.reference_mode,
        run.run,
        CAST(sum(leaf_cost.n_call) AS BIGINT) AS n_call,
        sum(leaf_cost.cost) AS cost,
        CAST(sum(leaf_cost.n_cost_unknown) AS BIGINT) AS n_cost_unknown
    FROM node_leaf
    INNER JOIN leaf_cost
        ON
            leaf_cost.benchmark = node_leaf.benchmark
            AND leaf_cost.item_id = node_leaf.item_id
            AND leaf_cost.leaf = node_leaf.leaf
    INNER JOIN run
        ON
            run.benchmark = leaf_cost.benchmark
            AND run.judge = leaf_cost.judge
            AND run.reference_mode = leaf_cost.reference_mode
            AND leaf_cost.repeat BETWEEN run.first_repeat AND run.last_repeat
            AND (run.run = '' OR node_leaf.is_root)
    GROUP BY
        node_leaf.benchmark,
        node_leaf.item_id,
        node_leaf.tree,
        node_leaf.node,
        leaf_cost.judge,
        leaf_cost.reference_mode,
        run.run
),

seated AS (
    SELECT
        judged.benchmark,
        judged.item_id,
        judged.tree,
        judged.node,
        judged.judge,
        judged.reference_mode,
        judged.run,
        judged.n_call,
        judged.cost,
        judged.n_cost_unknown
    FROM judged
    UNION ALL
    SELECT
        judged.benchmark,
        judged.item_id,
        judged.tree,
        judged.node,
        concat('panel:', panel.panel) AS judge,
        judged.reference_mode,
        judged.run,
        CAST(sum(judged.n_call) AS BIGINT) AS n_call,
        sum(judged.cost) AS cost,
        CAST(sum(judged.n_cost_unknown) AS BIGINT) AS n_cost_unknown
    FROM judged
    INNER JOIN bench.asked_panel_v1 AS panel
        ON panel.benchmark = judged.benchmark AND panel.judge = judged.judge
    INNER JOIN panel_run
        ON
            panel_run.benchmark = judged.benchmark
            AND panel_run.panel = panel.panel
            AND panel_run.reference_mode = judged.reference_mode
            AND panel_run.run = judged.run
    GROUP BY
        judged.benchmark,
        judged.item_id,
        judged.tree,
        judged.node,
        panel.panel,
        judged.reference_mode,
        judged.run
),

-- The nodes under which something was negotiated, with the calls for it.
weight_call AS (
    SELECT DISTINCT
        weight_answer.benchmark,
        weight_answer.item_id,
        weight_answer.tree,
        path.node,
        weight_answer.call_key
    FROM bench.edge_answer_v1 AS weight_answer
    INNER JOIN bench.path_weight_v1 AS path
        ON
            path.benchmark = weight_answer.benchmark
            AND path.item_id = weight_answer.item_id
            AND path.tree = weight_answer.tree
            AND path.descendant = weight_answer.node
            AND path.node <> weight_answer.node
    WHERE weight_answer.repeat = 0 AND weight_answer.call_key IS NOT NULL
),

weighed AS (
    SELECT
        weight_call.benchmark,
        weight_call.item_id,
        weight_call.tree,
        weight_call.node,
        count(*) AS n_call,
        sum(call.cost) AS cost,
        count(*) - count(call.cost) AS n_cost_unknown
    FROM weight_call
    LEFT JOIN judge.call AS call ON call.call_key = weight_call.call_key
    GROUP BY weight_call.benchmark, weight_call.item_id, weight_call.tree, weight_call.node
)

SELECT
    seated.benchmark,
    concat(
        'tree|', seated.tree, '|', seated.node, '|', seated.judge, '|', seated.reference_mode,
        seated.run
    ) AS method,
    item_scope.scope,
    sum(coalesce(seated.cost, CAST(0 AS DOUBLE)) + coalesce(weighed.cost, CAST(0 AS DOUBLE)))
        AS cost,
    CAST(sum(seated.n_call + coalesce(weighed.n_call, 0)) AS BIGINT) AS n_call,
    CAST(sum(seated.n_cost_unknown + coalesce(weighed.n_cost_unknown, 0)) AS BIGINT)
        AS n_cost_unknown
FROM seated
INNER JOIN corpus.item_scope AS item_scope
    ON item_scope.benchmark = seated.benchmark AND item_scope.item_id = seated.item_id
LEFT JOIN weighed
    ON
        weighed.benchmark = seated.benchmark
        AND weighed.item_id = seated.item_id
        AND weighed.tree = seated.tree
        AND weighed.node = seated.node
GROUP BY
    seated.benchmark,
    seated.tree,
    seated.node,
    seated.judge,
    seated.reference_mode,
    seated.run,
    item_scope.scope;

COMMENT ON VIEW bench.method_cost_v1 IS
'Money and calls behind every method over the rated writings of a scope.';
