-- Fills: corpus.writing: perturbed copies that a model makes: other genres, paraphrases
-- Command: score
-- Calls: write_candidate
-- The seed is the repeat of the call: another seed asks anew.
CREATE OR REPLACE TABLE pending.cell AS
SELECT
    cell.writing_id,
    cell.item_id,
    cell.system,
    cell.sample,
    cell.perturbation,
    cell.seed,
    cell.source_writing_id,
    cell.input_hash,
    cell.benchmark,
    'perturb' AS stage,
    asked.name AS model,
    prompt.prompt_id,
    prompt.prompt_hash,
    cell.seed AS repeat,
    asked.sampling,
    'single' AS presentation,
    CAST(NULL AS VARCHAR) AS instruction_hash,
    CAST(NULL AS VARCHAR) AS reference_hash,
    cell.text_hash,
    CAST(NULL AS VARCHAR) AS dimensions_hash,
    call_key_v1(
        prompt.prompt_id, prompt.prompt_hash, asked.name, asked.sampling, cell.seed, 'single',
        NULL, NULL, cell.text_hash, NULL
    ) AS call_key
FROM pending.perturbation_cell AS cell
INNER JOIN run.asked AS asked
    ON asked.benchmark = cell.benchmark AND asked.kind = 'perturber'
INNER JOIN judge.prompt AS prompt
    ON prompt.task = cell.task AND prompt.lang = cell.lang AND prompt.is_current;

INSERT INTO pending.answer BY NAME
SELECT
    called.answer.call_key,
    called.answer.value,
    called.answer.status,
    called.answer.reason,
    called.answer.rationale
FROM (
    SELECT
        write_candidate(
            request.call_key, request.model, request.prompt_id, request.repeat,
            request.sampling, request.presentation, request.instruction, request.reference,
            request.text, request.dimensions
        ) AS answer
    FROM pending.request AS request
) AS called;

INSERT OR REPLACE INTO corpus.writing BY NAME
WITH written AS (
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
        cell.sampling,
        cell.call_key,
        coalesce(settled.value ->> '$.text', '') AS text,
        settled.status
    FROM pending.cell AS cell
    INNER JOIN pending.settled AS settled ON settled.call_key = cell.call_key
)

SELECT
    written.benchmark,
    written.writing_id,
    written.item_id,
    written.system,
    written.sample,
    written.text,
    written.text AS judged_text,
    written.perturbation,
    written.seed,
    written.source_writing_id,
    CASE
        WHEN trim(written.text) = '' THEN 'no_text'
        WHEN contains(written.text, chr(65533)) THEN 'damaged'
        ELSE 'ok'
    END AS status,
    CASE WHEN trim(written.text) = '' THEN written.status END AS reason,
    contains(written.text, chr(65533)) AS has_damage,
    sha256(written.text) AS text_hash,
    written.input_hash,
    written.sampling,
    written.call_key,
    run.run_id
FROM written
CROSS JOIN pending.run AS run;
