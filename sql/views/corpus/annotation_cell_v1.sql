-- Grain: benchmark, document_id, stage
-- Answers: Which answers about documents does the last run ask for, and what is known of each?
-- Formula: genre for every document that is no duplicate, quality by the rubric of its label,
--     back-construction and (where a marker is asked) marks for quality 4 and better (HoWToBench
--     4.2 to 4.5), each with the asked model.
-- Missing: no row until the stage before has answered; known_status NULL = never asked.
-- Replaces: none
-- Known issue: none
CREATE OR REPLACE VIEW bench.annotation_cell_v1 AS
WITH labelled AS (
    SELECT
        document.benchmark,
        document.document_id,
        document.text_hash,
        CASE WHEN document.lang = 'zh' THEN 'zh' ELSE 'en' END AS prompt_lang,
        label.rubric,
        label.genre,
        label.quality
    FROM corpus.document AS document
    INNER JOIN bench.document_label_v1 AS label
        ON label.benchmark = document.benchmark AND label.document_id = document.document_id
    WHERE document.status IN ('ok', 'below_quality')
),

wanted AS (
    SELECT
        labelled.benchmark,
        labelled.document_id,
        labelled.text_hash,
        labelled.prompt_lang,
        'genre' AS stage,
        'classifier' AS kind,
        'genre' AS task,
        'label' AS main_key
    FROM labelled
    UNION ALL
    SELECT
        labelled.benchmark,
        labelled.document_id,
        labelled.text_hash,
        labelled.prompt_lang,
        'quality' AS stage,
        'filter' AS kind,
        concat('quality_', labelled.rubric) AS task,
        'overall' AS main_key
    FROM labelled
    WHERE labelled.rubric IS NOT NULL
    UNION ALL
    SELECT
        labelled.benchmark,
        labelled.document_id,
        labelled.text_hash,
        labelled.prompt_lang,
        'construct' AS stage,
        'constructor' AS kind,
        concat('construct_', labelled.genre) AS task,
        'summary' AS main_key
    FROM labelled
    WHERE labelled.quality >= 4
    UNION ALL
    SELECT
        labelled.benchmark,
        labelled.document_id,
        labelled.text_hash,
        labelled.prompt_lang,
        'marks' AS stage,
        'marker' AS kind,
        'marks' AS task,
        'n_mark' AS main_key
    FROM labelled
    WHERE labelled.quality >= 4
),

prompted AS (
    SELECT
        wanted.benchmark,
        wanted.document_id,
        wanted.text_hash,
        wanted.stage,
        wanted.main_key,
        asked.name AS model,
        asked.sampling,
        prompt.prompt_id,
        prompt.prompt_hash,
        CASE WHEN prompt.dimensions <> '' THEN sha256(prompt.dimensions) END AS dimensions_hash,
        parser.parser_version
    FROM wanted
    INNER JOIN run.asked AS asked
        ON asked.benchmark = wanted.benchmark AND asked.kind = wanted.kind
    INNER JOIN judge.prompt AS prompt
        ON
            prompt.task = wanted.task
            AND prompt.lang = wanted.prompt_lang
            AND prompt.is_current
    INNER JOIN judge.parser AS parser ON parser.is_current
)

SELECT
    prompted.benchmark,
    prompted.document_id,
    prompted.stage,
    prompted.model,
    prompted.sampling,
    prompted.prompt_id,
    prompted.prompt_hash,
    prompted.text_hash,
    prompted.dimensions_hash,
    prompted.parser_version,
    call_key_v1(
        prompted.prompt_id, prompted.prompt_hash, prompted.model, prompted.sampling, 0, 'single',
        NULL, NULL, prompted.text_hash, prompted.dimensions_hash
    ) AS call_key,
    CAST(known.status AS VARCHAR) AS known_status,
    handling.handling
FROM prompted
LEFT JOIN corpus.annotation AS known
    ON
        known.document_id = prompted.document_id
        AND known.stage = prompted.stage
        AND known.key = prompted.main_key
        AND known.model = prompted.model
        AND known.prompt_id = prompted.prompt_id
        AND known.input_hash = prompted.text_hash
        AND known.parser_version = prompted.parser_version
LEFT JOIN run.status AS handling
    ON handling.list = 'row' AND handling.status = CAST(known.status AS VARCHAR);

COMMENT ON VIEW bench.annotation_cell_v1 IS
'Answers about documents that the last run asks for, with call keys and what is known.';
