-- Grain: benchmark, target, target_id, field, kind, start_at
-- Answers: Which spans of documents and items should a person look at, and why?
-- Formula: rules marks_v1 on the text of each document, on instruction with grounding and on the
--     reference of each item; what the asked marker (if any) points out in documents, as kinds that
--     end in _model; kinds start with pii_, unsafe_ or ad_ (HoWToBench 4.5, ours).
-- Missing: texts that were not searched yet have no row here; corpus.marked_text names those that
--     were. An item built from a document shows the marks of both.
-- Replaces: none
-- Known issue: the words of unsafe text are few; fiction and news use them lawfully
CREATE OR REPLACE VIEW bench.mark_v1 AS
WITH text AS (
    SELECT
        document.benchmark,
        'document' AS target,
        document.document_id AS target_id,
        'text' AS field,
        document.text_hash
    FROM corpus.document AS document
    WHERE document.status IN ('ok', 'below_quality')
    UNION ALL
    SELECT
        item.benchmark,
        'item' AS target,
        item.item_id AS target_id,
        'instruction' AS field,
        item.instruction_hash AS text_hash
    FROM corpus.item AS item
    UNION ALL
    SELECT
        item.benchmark,
        'item' AS target,
        item.item_id AS target_id,
        'reference' AS field,
        item.reference_hash AS text_hash
    FROM corpus.item AS item
),

version AS (
    SELECT
        text.benchmark,
        'marks_v1' AS mark_version
    FROM text
    UNION
    SELECT
        asked.benchmark,
        concat(prompt.prompt_id, '@', asked.name) AS mark_version
    FROM run.asked AS asked
    INNER JOIN judge.prompt AS prompt ON prompt.task = 'marks' AND prompt.is_current
    WHERE asked.kind = 'marker'
)

SELECT
    text.benchmark,
    text.target,
    text.target_id,
    text.field,
    mark.kind,
    mark.start_at,
    mark.end_at,
    mark.excerpt,
    mark.mark_version
FROM text
INNER JOIN version ON version.benchmark = text.benchmark
INNER JOIN corpus.mark AS mark
    ON mark.text_hash = text.text_hash AND mark.mark_version = version.mark_version;

COMMENT ON VIEW bench.mark_v1 IS
'Spans of documents and items marked for reviewers: personal data, unsafe text, advertisements.';
