-- Fills: corpus.document.status and duplicate_of for texts that are equal to an earlier one
-- Command: corpus
UPDATE corpus.document
SET status = 'duplicate', duplicate_of = earlier.first_id, reason = 'same text'
FROM (
    SELECT
        document.benchmark,
        document.text_hash,
        arg_min(document.document_id, (document.fetched_at, document.document_id)) AS first_id
    FROM corpus.document AS document
    WHERE document.status IN ('ok', 'below_quality')
    GROUP BY document.benchmark, document.text_hash
    HAVING count(*) > 1
) AS earlier
WHERE
    document.benchmark = earlier.benchmark
    AND document.text_hash = earlier.text_hash
    AND document.document_id <> earlier.first_id
    AND document.status IN ('ok', 'below_quality');
