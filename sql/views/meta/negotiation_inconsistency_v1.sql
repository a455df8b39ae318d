-- Grain: benchmark, method, node
-- Answers: How much do the weights of a node change when they are negotiated again?
-- Formula: per item over the repeats t: delta = sum over t >= 2 of abs(l_t - l_1), sigma =
--     sqrt(sum of (l_t - mean)^2), then the mean over items (HoWToBench 5.4). l = negotiated weight
--     (method tree|<tree>|<negotiator>), or for replies that name their own dimensions the share
--     divided by the shares' sum, over dimensions named in all repeats of a writing in one
--     presentation (plan|<tree>|<judge>|<reference mode>).
-- Missing: items with fewer than two weights, and writings with a reply whose shares sum to 0, do
--     not count; n counts items, or writings in a presentation, n_repeat their most repeats. Trees
--     and repeats as asked for; no control, no perturbed writing.
-- Replaces: none
-- Known issue: none
CREATE OR REPLACE VIEW bench.negotiation_inconsistency_v1 AS
WITH plan_reply AS (
    SELECT
        sub_score.benchmark,
        sub_score.writing_id,
        sub_score.tree,
        sub_score.judge,
        sub_score.reference_mode,
        sub_score.presentation,
        sub_score.repeat,
        nullif(sum(sub_score.share), CAST(0 AS DOUBLE)) AS share_sum,
        count(*) OVER (
            PARTITION BY
                sub_score.benchmark,
                sub_score.writing_id,
                sub_score.tree,
                sub_score.judge,
                sub_score.reference_mode,
                sub_score.presentation
        ) AS n_reply
    FROM judge.sub_score AS sub_score
    INNER JOIN run.asked AS tree
        ON
            tree.benchmark = sub_score.benchmark
            AND tree.kind = 'tree'
            AND tree.name = sub_score.tree
    INNER JOIN run.asked AS asked_judge
        ON
            asked_judge.benchmark = sub_score.benchmark
            AND asked_judge.kind = 'judge'
            AND asked_judge.name = sub_score.judge
            AND asked_judge.repeats > sub_score.repeat
    INNER JOIN corpus.writing AS writing
        ON
            writing.benchmark = sub_score.benchmark
            AND writing.writing_id = sub_score.writing_id
    WHERE
        sub_score.share IS NOT NULL
        AND writing.system <> 'reference'
        AND writing.perturbation IS NULL
        AND writing.status <> 'withdrawn'
    GROUP BY
        sub_score.benchmark,
        sub_score.writing_id,
        sub_score.tree,
        sub_score.judge,
        sub_score.reference_mode,
        sub_score.presentation,
        sub_score.repeat
),

answer AS (
    SELECT
        weight_answer.benchmark,
        concat('tree|', weight_answer.tree, '|', weight_answer.negotiator) AS method,
        weight_answer.node,
        weight_answer.item_id AS unit,
        'none' AS presentation,
        weight_answer.repeat,
        weight_answer.weight,
        CAST(2 AS BIGINT) AS n_needed
    FROM bench.edge_answer_v1 AS weight_answer
    WHERE weight_answer.weight IS NOT NULL
    UNION ALL
    SELECT
        sub_score.benchmark,
        concat(
            'plan|', sub_score.tree, '|', sub_score.judge, '|', sub_score.reference_mode
        ) AS method,
        sub_score.dimension AS node,
        sub_score.writing_id AS unit,
        sub_score.presentation,
        sub_score.repeat,
        sub_score.share / plan_reply.share_sum AS weight,
        greatest(plan_reply.n_reply, CAST(2 AS BIGINT)) AS n_needed
    FROM judge.sub_score AS sub_score
    INNER JOIN plan_reply
        ON
            plan_reply.benchmark = sub_score.benchmark
            AND plan_reply.writing_id = sub_score.writing_id
            AND plan_reply.tree = sub_score.tree
            AND plan_reply.judge = sub_score.judge
            AND plan_reply.reference_mode = sub_score.reference_mode
            AND plan_reply.presentation IS NOT DISTINCT FROM sub_score.presentation
            AND plan_reply.repeat = sub_score.repeat
    WHERE plan_reply.share_sum IS NOT NULL AND sub_score.share IS NOT NULL
),

placed AS (
    SELECT
        answer.benchmark,
        answer.method,
        answer.node,
        answer.unit,
        answer.presentation,
        answer.weight,
        answer.n_needed,
        first_value(answer.weight) OVER (
            PARTITION BY
                answer.benchmark, answer.method, answer.node, answer.unit, answer.presentation
            ORDER BY answer.repeat
        ) AS first_weight
    FROM answer
),

unit_change AS (
    SELECT
        placed.benchmark,
        placed.method,
        placed.node,
        sum(abs(placed.weight - placed.first_weight)) AS delta,
        sqrt(var_pop(placed.weight) * CAST(count(*) AS DOUBLE)) AS sigma,
        count(*) AS n_repeat
    FROM placed
    GROUP BY placed.benchmark, placed.method, placed.node, placed.unit, placed.presentation
    HAVING count(*) >= max(placed.n_needed)
)

SELECT
    unit_change.benchmark,
    unit_change.method,
    unit_change.node,
    avg(unit_change.delta) AS delta,
    avg(unit_change.sigma) AS sigma,
    max(unit_change.n_repeat) AS n_repeat,
    count(*) AS n
FROM unit_change
GROUP BY unit_change.benchmark, unit_change.method, unit_change.node;

COMMENT ON VIEW bench.negotiation_inconsistency_v1 IS
'Change of the weights of a node between repeated negotiations.';
