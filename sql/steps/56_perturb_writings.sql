-- Fills: corpus.writing: perturbed copies that rules make, each beside the writing it came from
-- Command: score
-- A writing that leaves nothing to perturb has a copy without text, so that it is not tried again.
CREATE OR REPLACE TABLE pending.perturbed AS
SELECT
    cell.benchmark,
    cell.writing_id,
    cell.item_id,
    cell.system,
    cell.sample,
    cell.perturbation,
    cell.seed,
    cell.source_writing_id,
    cell.input_hash,
    perturb_text(
        cell.perturbation, cell.seed, cell.source_writing_id, cell.lang, cell.judged_text,
        judged_instruction_v1(cell.instruction, cell.grounding)
    ) AS text
FROM pending.perturbation_cell AS cell
WHERE cell.task IS NULL;

INSERT OR REPLACE INTO corpus.writing BY NAME
SELECT
    perturbed.benchmark,
    perturbed.writing_id,
    perturbed.item_id,
    perturbed.system,
    perturbed.sample,
    coalesce(perturbed.text, '') AS text,
    coalesce(perturbed.text, '') AS judged_text,
    perturbed.perturbation,
    perturbed.seed,
    perturbed.source_writing_id,
    CASE WHEN perturbed.text IS NULL THEN 'no_text' ELSE 'ok' END AS status,
    CASE WHEN perturbed.text IS NULL THEN 'not_applicable' END AS reason,
    sha256(coalesce(perturbed.text, '')) AS text_hash,
    perturbed.input_hash,
    run.run_id
FROM pending.perturbed AS perturbed
CROSS JOIN pending.run AS run;
