-- Fills: judge.leaf_score of rule leaves (judge rule): computed, not asked
-- Command: score
CREATE OR REPLACE TABLE pending.rule_cell AS
SELECT
    cell.benchmark,
    cell.writing_id,
    cell.leaf,
    cell.judge,
    cell.repeat,
    cell.reference_mode,
    cell.presentation,
    cell.prompt_id,
    cell.input_hash,
    cell.parser_version,
    cell.blocked,
    cell.genre,
    writing.judged_text
FROM bench.leaf_cell_v1 AS cell
INNER JOIN corpus.writing AS writing
    ON writing.benchmark = cell.benchmark AND writing.writing_id = cell.writing_id
INNER JOIN pending.selected_item AS selected
    ON selected.benchmark = cell.benchmark AND selected.item_id = cell.item_id
INNER JOIN pending.selected_system AS selected_system ON selected_system.system = cell.system
LEFT JOIN judge.leaf_score AS known
    ON
        known.benchmark = cell.benchmark
        AND known.writing_id = cell.writing_id
        AND known.leaf = cell.leaf
        AND known.judge = cell.judge
        AND known.prompt_id = cell.prompt_id
        AND known.input_hash = cell.input_hash
WHERE cell.kind = 'rule' AND known.writing_id IS NULL;

CREATE OR REPLACE TABLE pending.rule_verdict AS
SELECT
    called.benchmark,
    called.writing_id,
    called.leaf,
    called.verdict
FROM (
    SELECT
        rule_cell.benchmark,
        rule_cell.writing_id,
        rule_cell.leaf,
        judge_format(rule_cell.prompt_id, rule_cell.genre, rule_cell.judged_text) AS verdict
    FROM pending.rule_cell AS rule_cell
    WHERE rule_cell.blocked IS NULL
) AS called;

INSERT INTO judge.leaf_score BY NAME
SELECT
    rule_cell.benchmark,
    rule_cell.writing_id,
    rule_cell.leaf,
    rule_cell.judge,
    rule_cell.repeat,
    rule_cell.reference_mode,
    rule_cell.presentation,
    rule_cell.prompt_id,
    rule_cell.input_hash,
    rule_cell.parser_version,
    rule_verdict.verdict.score,
    coalesce(rule_cell.blocked, rule_verdict.verdict.status) AS status,
    rule_verdict.verdict.reason,
    run.run_id
FROM pending.rule_cell AS rule_cell
LEFT JOIN pending.rule_verdict AS rule_verdict
    ON
        rule_verdict.benchmark = rule_cell.benchmark
        AND rule_verdict.writing_id = rule_cell.writing_id
        AND rule_verdict.leaf = rule_cell.leaf
CROSS JOIN pending.run AS run;
