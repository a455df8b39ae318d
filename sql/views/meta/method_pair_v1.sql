-- Grain: benchmark, method, criterion, writing_id
-- Answers: What do a method and people say of the same writing?
-- Formula: method_score_v1 beside human_score_v1; no control, no perturbed writing (SPEC 5).
-- Missing: a writing that lacks one of the two has no row: pairs are complete on both sides.
-- Replaces: none
-- Known issue: none
CREATE OR REPLACE VIEW bench.method_pair_v1 AS
SELECT
    method_score.benchmark,
    method_score.method,
    human_score.criterion,
    method_score.writing_id,
    method_score.item_id,
    method_score.system,
    method_score.score AS method_score,
    human_score.score AS human_score
FROM bench.method_score_v1 AS method_score
INNER JOIN bench.human_score_v1 AS human_score
    ON
        human_score.benchmark = method_score.benchmark
        AND human_score.writing_id = method_score.writing_id
WHERE
    method_score.score IS NOT NULL
    AND method_score.perturbation IS NULL
    AND method_score.system <> 'reference';

COMMENT ON VIEW bench.method_pair_v1 IS 'Scores of a method and of people for the same writing.';
