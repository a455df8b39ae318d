-- Fills: corpus.item of task completion: one contiguous gap of whole paragraphs per kept document
-- Command: corpus
-- A gap is whole paragraphs, never the first or the last, at most 10 of them (HoWToBench 4.3), with
-- 120 characters or more and at most half of the text. Among all such gaps the document id draws
-- one, so the same text always gives the same item. Verse is left out: a stanza is no paragraph.
INSERT INTO corpus.item BY NAME
WITH paragraph AS (
    SELECT
        document.benchmark,
        document.document_id,
        document.lang,
        document.text,
        label.genre,
        label.label,
        string_split(document.text, concat(chr(10), chr(10))) AS parts
    FROM corpus.document AS document
    INNER JOIN bench.document_label_v1 AS label
        ON label.benchmark = document.benchmark AND label.document_id = document.document_id
    WHERE document.status = 'ok' AND label.quality >= 4 AND label.genre <> 'poem'
),

gap AS (
    SELECT
        paragraph.benchmark,
        paragraph.document_id,
        paragraph.lang,
        paragraph.genre,
        paragraph.label,
        paragraph.text,
        paragraph.parts,
        first.n AS first_part,
        size.n AS n_part,
        array_to_string(
            list_slice(paragraph.parts, first.n, first.n + size.n - 1), concat(chr(10), chr(10))
        ) AS reference
    FROM paragraph
    INNER JOIN run.number AS size ON size.n BETWEEN 1 AND 10
    INNER JOIN run.number AS first
        ON first.n >= 2 AND first.n + size.n <= len(paragraph.parts)
),

placed AS (
    SELECT
        gap.benchmark,
        gap.document_id,
        gap.lang,
        gap.genre,
        gap.label,
        gap.parts,
        gap.first_part,
        gap.n_part,
        gap.reference
    FROM gap
    WHERE length(gap.reference) >= 120 AND 2 * length(gap.reference) <= length(gap.text)
    QUALIFY
        row_number() OVER (
            PARTITION BY gap.benchmark, gap.document_id
            ORDER BY sha256(concat(gap.document_id, '|', gap.first_part, '|', gap.n_part))
        ) = 1
),

item AS (
    SELECT
        placed.benchmark,
        placed.document_id,
        placed.lang,
        placed.genre,
        placed.label,
        replace(
            prompt.body, '{genre_name}',
            CASE WHEN placed.lang = 'zh' THEN genre.name_zh ELSE genre.name_en END
        ) AS instruction,
        concat(
            array_to_string(
                list_slice(placed.parts, 1, placed.first_part - 1), concat(chr(10), chr(10))
            ),
            chr(10), chr(10), '[fill in the blank]', chr(10), chr(10),
            array_to_string(
                list_slice(
                    placed.parts, placed.first_part + placed.n_part, len(placed.parts)
                ),
                concat(chr(10), chr(10))
            )
        ) AS grounding,
        placed.reference
    FROM placed
    INNER JOIN corpus.genre AS genre ON genre.genre = placed.genre
    INNER JOIN judge.prompt AS prompt
        ON
            prompt.task = 'instruct_completion'
            AND prompt.lang = CASE WHEN placed.lang = 'zh' THEN 'zh' ELSE 'en' END
            AND prompt.is_current
)

SELECT
    item.benchmark,
    concat('completion_', substr(item.document_id, 1, 12)) AS item_id,
    'completion' AS task,
    item.genre,
    item.label AS sub_task,
    item.lang,
    item.instruction,
    item.grounding,
    item.reference,
    item.document_id,
    sha256(judged_instruction_v1(item.instruction, item.grounding)) AS instruction_hash,
    sha256(item.reference) AS reference_hash,
    run.run_id
FROM item
CROSS JOIN pending.run AS run
WHERE NOT EXISTS (
    SELECT 1
    FROM corpus.item AS known
    WHERE
        known.benchmark = item.benchmark
        AND known.item_id = concat('completion_', substr(item.document_id, 1, 12))
);
