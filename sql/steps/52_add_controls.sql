-- Fills: corpus.writing of system reference: the reference itself, judged like all, never ranked
-- Command: score
CREATE OR REPLACE TABLE pending.control AS
SELECT
    item.benchmark,
    concat(item.item_id, ':reference:0') AS writing_id,
    item.item_id,
    item.reference,
    item.reference_hash
FROM corpus.item AS item
INNER JOIN pending.selected_item AS selected
    ON selected.benchmark = item.benchmark AND selected.item_id = item.item_id
LEFT JOIN corpus.writing AS known
    ON
        known.benchmark = item.benchmark
        AND known.item_id = item.item_id
        AND known.system = 'reference'
        AND known.perturbation IS NULL
WHERE
    trim(item.reference) <> ''
    AND (
        known.writing_id IS NULL
        -- A control that was withdrawn stays so.
        OR (known.text_hash <> item.reference_hash AND known.status <> 'withdrawn')
    );

INSERT OR REPLACE INTO corpus.writing BY NAME
SELECT
    control.benchmark,
    control.writing_id,
    control.item_id,
    'reference' AS system,
    0 AS sample,
    control.reference AS text,
    control.reference AS judged_text,
    CASE WHEN contains(control.reference, chr(65533)) THEN 'damaged' ELSE 'ok' END AS status,
    contains(control.reference, chr(65533)) AS has_damage,
    FALSE AS has_thought,
    control.reference_hash AS text_hash,
    run.run_id
FROM pending.control AS control
CROSS JOIN pending.run AS run;
