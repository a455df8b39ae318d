-- Grain: benchmark, document_id
-- Answers: Which genre, rubric and quality do the asked models give each document?
-- Formula: annotations by the asked classifier and filter, with the current prompt and parser, on
--     the current text; quality is the filter's overall score from 1 to 5 (HoWToBench 4.2).
-- Missing: NULL where a model gave no usable answer or was not asked yet.
-- Replaces: none
-- Known issue: none
CREATE OR REPLACE VIEW bench.document_label_v1 AS
WITH current_annotation AS (
    SELECT
        document.benchmark,
        annotation.document_id,
        annotation.stage,
        annotation.key,
        annotation.value
    FROM corpus.annotation AS annotation
    INNER JOIN corpus.document AS document
        ON
            document.document_id = annotation.document_id
            AND document.text_hash = annotation.input_hash
    INNER JOIN run.asked AS asked
        ON
            asked.benchmark = document.benchmark
            AND asked.name = annotation.model
            AND (
                (asked.kind = 'classifier' AND annotation.stage = 'genre')
                OR (asked.kind = 'filter' AND annotation.stage = 'quality')
                OR (asked.kind = 'constructor' AND annotation.stage = 'construct')
            )
    INNER JOIN judge.prompt AS prompt
        ON prompt.prompt_id = annotation.prompt_id AND prompt.is_current
    INNER JOIN judge.parser AS parser
        ON parser.parser_version = annotation.parser_version AND parser.is_current
    WHERE annotation.status IN ('ok', 'repaired')
),

label AS (
    SELECT
        current_annotation.benchmark,
        current_annotation.document_id,
        max(CASE WHEN current_annotation.key = 'label' THEN current_annotation.value END) AS label,
        max(CASE WHEN current_annotation.key = 'overall' THEN current_annotation.value END)
            AS overall,
        max(CASE WHEN current_annotation.key = 'summary' THEN current_annotation.value END)
            AS summary,
        max(CASE WHEN current_annotation.key = 'theme' THEN current_annotation.value END) AS theme,
        max(CASE WHEN current_annotation.key = 'traits' THEN current_annotation.value END) AS traits
    FROM current_annotation
    GROUP BY current_annotation.benchmark, current_annotation.document_id
)

SELECT
    document.benchmark,
    document.document_id,
    document.source,
    document.lang,
    label.label,
    genre_label.genre,
    genre_label.rubric,
    CAST(label.overall AS DOUBLE) AS quality,
    label.summary,
    label.theme,
    label.traits
FROM corpus.document AS document
LEFT JOIN label
    ON label.benchmark = document.benchmark AND label.document_id = document.document_id
LEFT JOIN corpus.genre_label AS genre_label ON genre_label.label = label.label;

COMMENT ON VIEW bench.document_label_v1 IS
'Genre, quality and back-construction of each document by the models asked.';
