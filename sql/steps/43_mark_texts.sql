-- Fills: corpus.mark, the spans of documents and items that a reviewer should look at
-- Command: corpus, review
CREATE OR REPLACE TABLE pending.unmarked AS
WITH source AS (
    SELECT
        document.text_hash,
        document.text
    FROM corpus.document AS document
    WHERE document.status IN ('ok', 'below_quality') AND document.text IS NOT NULL
    UNION ALL
    SELECT
        item.instruction_hash AS text_hash,
        judged_instruction_v1(item.instruction, item.grounding) AS text
    FROM corpus.item AS item
    UNION ALL
    SELECT
        item.reference_hash AS text_hash,
        item.reference AS text
    FROM corpus.item AS item
)

SELECT
    source.text_hash,
    any_value(source.text) AS text
FROM source
WHERE
    NOT EXISTS (
        SELECT 1
        FROM corpus.marked_text AS known
        WHERE known.text_hash = source.text_hash AND known.mark_version = 'marks_v1'
    )
GROUP BY source.text_hash;

CREATE OR REPLACE TABLE pending.text_mark AS
SELECT
    unmarked.text_hash,
    mark_text(unmarked.text) AS marks
FROM pending.unmarked AS unmarked;

INSERT OR REPLACE INTO corpus.mark BY NAME
SELECT
    spread.text_hash,
    'marks_v1' AS mark_version,
    spread.mark.kind,
    spread.mark.start_at,
    spread.mark.end_at,
    spread.mark.excerpt
FROM (
    SELECT
        text_mark.text_hash,
        unnest(text_mark.marks) AS mark
    FROM pending.text_mark AS text_mark
) AS spread;

INSERT OR REPLACE INTO corpus.marked_text BY NAME
SELECT
    text_mark.text_hash,
    'marks_v1' AS mark_version,
    len(text_mark.marks) AS n_mark,
    run.run_id
FROM pending.text_mark AS text_mark
CROSS JOIN pending.run AS run;
