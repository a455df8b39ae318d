-- A duplicate names no other document of its benchmark: run `towbench corpus` again.
SELECT
    copied.benchmark,
    copied.document_id,
    copied.status,
    copied.duplicate_of
FROM corpus.document AS copied
LEFT JOIN corpus.document AS original
    ON
        original.benchmark = copied.benchmark
        AND original.document_id = copied.duplicate_of
        AND original.document_id <> copied.document_id
WHERE copied.status IN ('duplicate', 'near_duplicate') AND original.document_id IS NULL;
