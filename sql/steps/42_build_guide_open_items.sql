-- Fills: corpus.item of tasks guide (with traits as grounding) and open (without)
-- Command: corpus
-- Summary and theme go through the instruction template to make I; traits make G (HoWToBench 4.4).
INSERT INTO corpus.item BY NAME
WITH task AS (
    SELECT unnest(['guide', 'open']) AS task
),

built AS (
    SELECT
        document.benchmark,
        concat(task.task, '_', substr(document.document_id, 1, 12)) AS item_id,
        task.task,
        label.genre,
        label.label AS sub_task,
        document.lang,
        document.document_id,
        document.text AS reference,
        -- The summary goes in last: nothing in it is read as a slot.
        replace(
            replace(
                replace(
                    prompt.body, '{genre_name}',
                    CASE WHEN document.lang = 'zh' THEN genre.name_zh ELSE genre.name_en END
                ),
                '{theme}', replace(label.theme, '{', '(')
            ),
            '{summary}', label.summary
        ) AS instruction,
        CASE WHEN task.task = 'guide' THEN label.traits ELSE '' END AS grounding
    FROM corpus.document AS document
    INNER JOIN bench.document_label_v1 AS label
        ON label.benchmark = document.benchmark AND label.document_id = document.document_id
    INNER JOIN corpus.genre AS genre ON genre.genre = label.genre
    CROSS JOIN task
    INNER JOIN judge.prompt AS prompt
        ON
            prompt.task = concat('instruct_', task.task)
            AND prompt.lang = CASE WHEN document.lang = 'zh' THEN 'zh' ELSE 'en' END
            AND prompt.is_current
    WHERE
        document.status = 'ok'
        AND label.quality >= 4
        AND label.summary IS NOT NULL
        AND label.theme IS NOT NULL
        AND (task.task = 'open' OR coalesce(label.traits, '') <> '')
)

SELECT
    built.benchmark,
    built.item_id,
    built.task,
    built.genre,
    built.sub_task,
    built.lang,
    built.instruction,
    built.grounding,
    built.reference,
    built.document_id,
    sha256(judged_instruction_v1(built.instruction, built.grounding)) AS instruction_hash,
    sha256(built.reference) AS reference_hash,
    run.run_id
FROM built
CROSS JOIN pending.run AS run
WHERE NOT EXISTS (
    SELECT 1
    FROM corpus.item AS known
    WHERE known.benchmark = built.benchmark AND known.item_id = built.item_id
);
