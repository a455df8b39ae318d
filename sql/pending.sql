-- Views over the scratch tables that every call step shares.

-- What a call function is asked: the open requests with their texts, joined while they are read,
-- since a text stands in many requests.
DROP TABLE IF EXISTS pending.request;

CREATE OR REPLACE VIEW pending.request AS
SELECT
    open_request.call_key,
    open_request.model,
    open_request.prompt_id,
    open_request.repeat,
    open_request.sampling,
    open_request.presentation,
    instruction.text AS instruction,
    reference.text AS reference,
    body.text,
    dimensions.text AS dimensions
FROM pending.open_request AS open_request
LEFT JOIN ledger.text AS instruction ON instruction.hash = open_request.instruction_hash
LEFT JOIN ledger.text AS reference ON reference.hash = open_request.reference_hash
LEFT JOIN ledger.text AS body ON body.hash = open_request.text_hash
LEFT JOIN ledger.text AS dimensions ON dimensions.hash = open_request.dimensions_hash;

-- What is known of the keys of `pending.cell` when a call step writes its rows: what this run was
-- answered, else what was stored. A request that was not sent changes nothing about a stored reply.
CREATE OR REPLACE VIEW pending.settled AS
WITH answered AS (
    SELECT
        answer.call_key,
        answer.status,
        answer.reason,
        CASE WHEN answer.status IN ('ok', 'repaired') THEN answer.value END AS value,
        answer.rationale
    FROM pending.answer AS answer
    LEFT JOIN pending.stored AS stored ON stored.call_key = answer.call_key
    WHERE
        stored.call_key IS NULL
        OR answer.status NOT IN ('not_in_ledger', 'skipped_budget')
)

SELECT
    stored.call_key,
    stored.status,
    stored.reason,
    stored.value,
    stored.rationale
FROM pending.stored AS stored
WHERE stored.call_key NOT IN (SELECT answered.call_key FROM answered)
UNION ALL
SELECT
    answered.call_key,
    answered.status,
    answered.reason,
    answered.value,
    answered.rationale
FROM answered;

-- Statuses of rows that are taken up again: by themselves (SPEC 8), or because RETRY names them.
CREATE OR REPLACE VIEW pending.reopened AS
SELECT status.status
FROM towbench.run.status AS status
WHERE status.list = 'row' AND status.handling = 'retry'
UNION
SELECT retry.status
FROM pending.retry AS retry;

-- What the stages of the corpus have to ask about documents: what nobody was asked and what is
-- reopened.
CREATE OR REPLACE VIEW pending.annotation_cell AS
SELECT
    cell.document_id,
    cell.benchmark,
    cell.stage,
    cell.model,
    cell.prompt_id,
    cell.prompt_hash,
    0 AS repeat,
    cell.sampling,
    'single' AS presentation,
    CAST(NULL AS VARCHAR) AS instruction_hash,
    CAST(NULL AS VARCHAR) AS reference_hash,
    cell.text_hash,
    cell.dimensions_hash,
    cell.parser_version,
    cell.call_key
FROM towbench.bench.annotation_cell_v1 AS cell
WHERE
    cell.known_status IS NULL
    OR cell.known_status IN (SELECT reopened.status FROM pending.reopened AS reopened);

-- What metrics have to measure of the selected writings, on the same terms, and the texts.
CREATE OR REPLACE VIEW pending.metric_cell AS
SELECT
    cell.benchmark,
    cell.writing_id,
    cell.metric,
    cell.reference_mode,
    cell.lang,
    cell.sampling,
    cell.reference_hash,
    cell.text_hash,
    cell.blocked,
    cell.input_hash,
    cell.metric_version
FROM towbench.bench.metric_cell_v1 AS cell
INNER JOIN pending.selected_item AS selected
    ON selected.benchmark = cell.benchmark AND selected.item_id = cell.item_id
INNER JOIN pending.selected_system AS selected_system ON selected_system.system = cell.system
WHERE
    cell.known_status IS NULL
    OR cell.known_status IN (SELECT reopened.status FROM pending.reopened AS reopened);

CREATE OR REPLACE VIEW pending.metric_text AS
SELECT
    text.hash,
    any_value(text.text) AS text
FROM towbench.bench.text_v1 AS text
WHERE text.kind IN ('reference', 'writing')
GROUP BY text.hash;

-- Copies that PERTURBATIONS asks for and that are missing, or were made from another text: of every
-- system the first writings in an order that the seed draws (HoWToBench 6.2: five a system).
CREATE OR REPLACE VIEW pending.perturbation_cell AS
WITH source AS (
    SELECT
        writing.benchmark,
        writing.writing_id,
        writing.item_id,
        writing.system,
        writing.sample,
        writing.judged_text,
        writing.text_hash,
        item.instruction,
        item.grounding,
        item.instruction_hash,
        CASE WHEN item.lang = 'zh' THEN 'zh' ELSE 'en' END AS lang,
        asked.perturbation,
        asked.task,
        asked.seed,
        asked.n_writing,
        row_number() OVER (
            PARTITION BY writing.benchmark, writing.system, asked.perturbation
            ORDER BY
                sha256(concat(CAST(asked.seed AS VARCHAR), '|', writing.writing_id)),
                writing.writing_id
        ) AS place
    FROM pending.perturbation AS asked
    CROSS JOIN towbench.corpus.writing AS writing
    INNER JOIN towbench.corpus.item AS item
        ON item.benchmark = writing.benchmark AND item.item_id = writing.item_id
    INNER JOIN pending.selected_item AS selected
        ON selected.benchmark = item.benchmark AND selected.item_id = item.item_id
    INNER JOIN pending.selected_system AS selected_system
        ON selected_system.system = writing.system
    WHERE
        writing.status = 'ok'
        AND writing.perturbation IS NULL
        AND writing.system <> 'reference'
)

SELECT
    source.benchmark,
    source.writing_id AS source_writing_id,
    concat(source.writing_id, ':', source.perturbation, ':', CAST(source.seed AS VARCHAR))
        AS writing_id,
    source.item_id,
    source.system,
    source.sample,
    source.lang,
    source.judged_text,
    source.text_hash,
    source.instruction,
    source.grounding,
    source.instruction_hash,
    source.perturbation,
    source.task,
    source.seed,
    sha256(concat('perturb_v1|', source.instruction_hash, '|', source.text_hash)) AS input_hash
FROM source
LEFT JOIN towbench.corpus.writing AS known
    ON
        known.benchmark = source.benchmark
        AND known.source_writing_id = source.writing_id
        AND known.perturbation = source.perturbation
        AND known.seed = source.seed
WHERE
    source.place <= source.n_writing
    AND (
        known.writing_id IS NULL
        OR (
            known.status <> 'withdrawn'
            AND known.input_hash
            <> sha256(concat('perturb_v1|', source.instruction_hash, '|', source.text_hash))
        )
        OR (
            known.status = 'no_text'
            AND known.reason IN (SELECT reopened.status FROM pending.reopened AS reopened)
        )
    );
