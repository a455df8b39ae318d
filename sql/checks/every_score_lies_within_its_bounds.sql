-- A tree score lies outside its bounds, a leaf is off its scale: see it in bench.judgement.
SELECT
    bounds.benchmark,
    bounds.writing_id,
    bounds.tree,
    bounds.judge,
    bounds.reference_mode,
    tree_score.score,
    bounds.scale_low,
    bounds.scale_high
FROM bench.score_bounds_v1 AS bounds
INNER JOIN bench.tree_score_v1 AS tree_score
    ON
        tree_score.benchmark = bounds.benchmark
        AND tree_score.writing_id = bounds.writing_id
        AND tree_score.tree = bounds.tree
        AND tree_score.judge = bounds.judge
        AND tree_score.reference_mode = bounds.reference_mode
WHERE
    tree_score.score < bounds.scale_low - 1e-9
    OR tree_score.score > bounds.scale_high + 1e-9
    OR tree_score.score < bounds.score_low - 1e-9
    OR tree_score.score > bounds.score_high + 1e-9;
