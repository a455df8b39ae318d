-- Grain: benchmark, writing_id, leaf, judge, reference_mode, presentation, repeat
-- Answers: Which leaf judgements does the last run of a benchmark ask for, and on which inputs?
-- Formula: the current inputs of every leaf (leaf_input_v1) x the ways of judging it that were
--     asked for (asked_judging_v1).
-- Missing: blocked names why a cell cannot be judged (no_text, no_reference); withdrawn and not
--     imported writings have no cell.
-- Replaces: none
-- Known issue: none
CREATE OR REPLACE VIEW bench.leaf_cell_v1 AS
SELECT
    input.benchmark,
    input.writing_id,
    input.leaf,
    judging.judge,
    input.reference_mode,
    judging.presentation,
    judging.repeat,
    input.item_id,
    input.system,
    input.perturbation,
    input.task,
    input.genre,
    input.kind,
    judging.sampling,
    input.instruction_hash,
    input.reference_hash,
    input.text_hash,
    input.prompt_hash,
    input.blocked,
    input.prompt_id,
    input.input_hash,
    input.parser_version
FROM bench.leaf_input_v1 AS input
INNER JOIN bench.asked_judging_v1 AS judging
    ON
        judging.benchmark = input.benchmark
        AND judging.leaf = input.leaf
        AND judging.reference_mode = input.reference_mode;

COMMENT ON VIEW bench.leaf_cell_v1 IS
'Leaf judgements that the last run of a benchmark asks for, with the hashes of their inputs.';
