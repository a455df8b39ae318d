-- Fills: corpus.document.status and duplicate_of for near copies of an earlier document
-- Command: corpus
-- Candidates share a band; 0.6 of the signature must agree (facts 8.3: recall and precision 1.0).
CREATE OR REPLACE TABLE pending.near_copy AS
WITH band AS (
    SELECT
        document.benchmark,
        document.document_id,
        document.fetched_at,
        unnest(sketch.bands) AS band
    FROM corpus.document AS document
    INNER JOIN corpus.document_sketch AS sketch
        ON
            sketch.document_id = document.document_id
            AND sketch.text_hash = document.text_hash
    WHERE document.status IN ('ok', 'below_quality')
),

candidate AS (
    SELECT DISTINCT
        later.document_id,
        earlier.document_id AS earlier_id,
        earlier.fetched_at AS earlier_at
    FROM band AS later
    INNER JOIN band AS earlier
        ON earlier.benchmark = later.benchmark AND earlier.band = later.band
    WHERE
        earlier.fetched_at < later.fetched_at
        OR (earlier.fetched_at = later.fetched_at AND earlier.document_id < later.document_id)
)

SELECT
    candidate.document_id,
    arg_min(candidate.earlier_id, (candidate.earlier_at, candidate.earlier_id)) AS earlier_id,
    max(sketch_agreement_v1(later.signature, earlier.signature)) AS agreement
FROM candidate
INNER JOIN corpus.document_sketch AS later ON later.document_id = candidate.document_id
INNER JOIN corpus.document_sketch AS earlier ON earlier.document_id = candidate.earlier_id
WHERE sketch_agreement_v1(later.signature, earlier.signature) >= 0.6
GROUP BY candidate.document_id;

UPDATE corpus.document
SET
    status = 'near_duplicate',
    duplicate_of = near_copy.earlier_id,
    reason = concat('agrees to ', CAST(round(near_copy.agreement, 2) AS VARCHAR))
FROM pending.near_copy AS near_copy
WHERE document.document_id = near_copy.document_id;
