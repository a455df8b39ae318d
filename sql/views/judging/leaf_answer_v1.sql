-- Grain: benchmark, writing_id, leaf, judge, reference_mode, presentation, repeat
-- Answers: What is known of each leaf judgement that the last run of a benchmark asks for?
-- Formula: cells of leaf_cell_v1 with their current row of judge.leaf_score: same key, prompt,
--     input hash and parser version.
-- Missing: status is what blocks a cell without a row (no_text, no_reference), else never_asked.
-- Replaces: none
-- Known issue: none
CREATE OR REPLACE VIEW bench.leaf_answer_v1 AS
SELECT
    cell.benchmark,
    cell.writing_id,
    cell.leaf,
    cell.judge,
    cell.reference_mode,
    cell.presentation,
    cell.repeat,
    cell.item_id,
    cell.system,
    cell.perturbation,
    cell.task,
    cell.genre,
    cell.prompt_id,
    cell.prompt_hash,
    cell.input_hash,
    cell.parser_version,
    leaf_score.score,
    coalesce(CAST(leaf_score.status AS VARCHAR), cell.blocked, 'never_asked') AS status,
    leaf_score.reason,
    leaf_score.rationale,
    leaf_score.call_key,
    leaf_score.run_id
FROM bench.leaf_cell_v1 AS cell
LEFT JOIN judge.leaf_score AS leaf_score
    ON
        leaf_score.benchmark = cell.benchmark
        AND leaf_score.writing_id = cell.writing_id
        AND leaf_score.leaf = cell.leaf
        AND leaf_score.judge = cell.judge
        AND leaf_score.repeat = cell.repeat
        AND leaf_score.reference_mode = cell.reference_mode
        AND leaf_score.presentation = cell.presentation
        AND leaf_score.prompt_id = cell.prompt_id
        AND leaf_score.input_hash = cell.input_hash
        AND leaf_score.parser_version = cell.parser_version;

COMMENT ON VIEW bench.leaf_answer_v1 IS
'Every leaf judgement asked for with its score and status, or why there is none.';
