-- Grain: benchmark, method, writing_id
-- Answers: Which score does each method give a writing?
-- Formula: one name per method (SPEC 5): tree|<tree>|<node>|<judge or panel>|<reference mode> =
--     node_score_v1; with |repeat:k or |sc:n = repeat_score_v1 at the root; tree|imported|... =
--     imported_score_v1; metric|<name>|<reference mode> = judge.metric_score.
-- Missing: score is NULL where the method has none for the writing.
-- Replaces: none
-- Known issue: repeats and self-consistency are methods at the root only.
-- Snapshot: yes
CREATE OR REPLACE VIEW bench.method_score_v1 AS
SELECT
    node_score.benchmark,
    concat(
        'tree|', node_score.tree, '|', node_score.node, '|', node_score.judge, '|',
        node_score.reference_mode
    ) AS method,
    node_score.writing_id,
    node_score.item_id,
    node_score.system,
    node_score.perturbation,
    node_score.score
FROM bench.node_score_v1 AS node_score
UNION ALL
SELECT
    repeat_score.benchmark,
    concat(
        'tree|', repeat_score.tree, '|root|', repeat_score.judge, '|',
        repeat_score.reference_mode, '|', repeat_score.run
    ) AS method,
    repeat_score.writing_id,
    repeat_score.item_id,
    repeat_score.system,
    repeat_score.perturbation,
    repeat_score.score
FROM bench.repeat_score_v1 AS repeat_score
UNION ALL
SELECT
    imported_score.benchmark,
    concat(
        'tree|imported|', imported_score.node, '|', imported_score.judge, '|',
        imported_score.reference_mode
    ) AS method,
    imported_score.writing_id,
    imported_score.item_id,
    imported_score.system,
    CAST(NULL AS VARCHAR) AS perturbation,
    imported_score.score
FROM bench.imported_score_v1 AS imported_score
UNION ALL
SELECT
    metric_score.benchmark,
    concat('metric|', metric_score.metric, '|', metric_score.reference_mode) AS method,
    metric_score.writing_id,
    writing.item_id,
    writing.system,
    writing.perturbation,
    metric_score.score
FROM judge.metric_score AS metric_score
INNER JOIN corpus.writing AS writing
    ON
        writing.benchmark = metric_score.benchmark
        AND writing.writing_id = metric_score.writing_id
INNER JOIN corpus.item AS item
    ON item.benchmark = writing.benchmark AND item.item_id = writing.item_id
WHERE writing.status <> 'withdrawn' AND item.status = 'accepted';

COMMENT ON VIEW bench.method_score_v1 IS 'Score of every writing by every method, in one column.';
