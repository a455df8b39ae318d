-- Fills: corpus.writing: the texts of the asked writers for the selected items
-- Command: score, generate
-- Calls: write_candidate
-- Only embedded writers are shown the reference: they are transformations of it, not models.
CREATE OR REPLACE TABLE pending.cell AS
WITH wanted AS (
    SELECT
        item.benchmark,
        item.item_id,
        item.instruction_hash,
        asked.name AS model,
        asked.sampling,
        number.n AS sample,
        prompt.prompt_id,
        prompt.prompt_hash,
        CASE WHEN starts_with(asked.name, 'embedded/') THEN item.reference_hash END
            AS reference_hash
    FROM corpus.item AS item
    INNER JOIN pending.selected_item AS selected
        ON selected.benchmark = item.benchmark AND selected.item_id = item.item_id
    INNER JOIN run.asked AS asked
        ON asked.benchmark = item.benchmark AND asked.kind = 'writer'
    INNER JOIN run.number AS number ON number.n < asked.repeats
    INNER JOIN judge.prompt AS prompt
        ON
            prompt.task = 'write'
            AND prompt.lang = CASE WHEN item.lang = 'zh' THEN 'zh' ELSE 'en' END
            AND prompt.is_current
)

SELECT
    wanted.item_id,
    wanted.sample,
    wanted.benchmark,
    'write' AS stage,
    wanted.model,
    wanted.prompt_id,
    wanted.prompt_hash,
    wanted.sample AS repeat,
    wanted.sampling,
    'single' AS presentation,
    wanted.instruction_hash,
    wanted.reference_hash,
    CAST(NULL AS VARCHAR) AS text_hash,
    CAST(NULL AS VARCHAR) AS dimensions_hash,
    call_key_v1(
        wanted.prompt_id, wanted.prompt_hash, wanted.model, wanted.sampling, wanted.sample,
        'single', wanted.instruction_hash, wanted.reference_hash, NULL, NULL
    ) AS call_key
FROM wanted
LEFT JOIN corpus.writing AS known
    ON
        known.benchmark = wanted.benchmark
        AND known.item_id = wanted.item_id
        AND known.system = wanted.model
        AND known.sample = wanted.sample
        AND known.perturbation IS NULL
WHERE
    known.writing_id IS NULL
    OR (
        known.status = 'no_text'
        AND known.reason IN (SELECT reopened.status FROM pending.reopened AS reopened)
    );

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
        cell.item_id,
        cell.model,
        cell.sample,
        cell.sampling,
        cell.call_key,
        coalesce(settled.value ->> '$.text', '') AS text,
        settled.status,
        settled.reason
    FROM pending.cell AS cell
    INNER JOIN pending.settled AS settled ON settled.call_key = cell.call_key
)

SELECT
    written.benchmark,
    concat(written.item_id, ':', written.model, ':', CAST(written.sample AS VARCHAR))
        AS writing_id,
    written.item_id,
    written.model AS system,
    written.sample,
    written.text,
    written.text AS judged_text,
    CASE
        WHEN trim(written.text) = '' THEN 'no_text'
        WHEN contains(written.text, chr(65533)) THEN 'damaged'
        ELSE 'ok'
    END AS status,
    CASE WHEN trim(written.text) = '' THEN written.status END AS reason,
    contains(written.text, chr(65533)) AS has_damage,
    FALSE AS has_thought,
    sha256(written.text) AS text_hash,
    written.sampling,
    written.call_key,
    run.run_id
FROM written
CROSS JOIN pending.run AS run;
