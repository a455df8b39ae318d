-- Fills: corpus.document.status and duplicate_of for near copies of an earlier document
-- Command: corpus
-- Candidates share two bands or more: at Jaccard 0.7 that has probability 0.998, while texts that
-- share only their site's boilerplate (0.1) almost never do. In a band that very many texts share
-- each is compared with its first 20 only. 0.6 of the signature must agree (facts 8.3).
CREATE OR REPLACE TABLE pending.sketched AS
SELECT
    document.document_id,
    document.benchmark,
    sketch.signature,
    sketch.bands,
    CAST(row_number() OVER (ORDER BY document.fetched_at, document.document_id) AS INTEGER)
        AS turn
FROM corpus.document AS document
INNER JOIN corpus.document_sketch AS sketch
    ON
        sketch.document_id = document.document_id
        AND sketch.text_hash = document.text_hash
WHERE document.status IN ('ok', 'below_quality');

CREATE OR REPLACE TABLE pending.near_pair AS
WITH band AS (
    SELECT
        sketched.turn,
        -- Equal bands of two benchmarks never meet.
        hash(sketched.benchmark, unnest(sketched.bands)) AS band
    FROM pending.sketched AS sketched
),

shared AS (
    SELECT
        band.turn,
        band.band,
        row_number() OVER (PARTITION BY band.band ORDER BY band.turn) AS place,
        count(*) OVER (PARTITION BY band.band) AS n_text
    FROM band
)

SELECT
    later.turn AS later,
    earlier.turn AS earlier
FROM shared AS later
INNER JOIN shared AS earlier
    ON
        earlier.band = later.band
        AND earlier.turn < later.turn
WHERE later.n_text > 1 AND earlier.n_text > 1 AND earlier.place <= 20
GROUP BY later.turn, earlier.turn
HAVING count(*) >= 2;

CREATE OR REPLACE TABLE pending.near_copy AS
SELECT
    later.document_id,
    arg_min(earlier.document_id, pair.earlier) AS earlier_id,
    max(sketch_agreement_v1(later.signature, earlier.signature)) AS agreement
FROM pending.near_pair AS pair
INNER JOIN pending.sketched AS later ON later.turn = pair.later
INNER JOIN pending.sketched AS earlier ON earlier.turn = pair.earlier
WHERE sketch_agreement_v1(later.signature, earlier.signature) >= 0.6
GROUP BY later.document_id;

UPDATE corpus.document
SET
    status = 'near_duplicate',
    duplicate_of = near_copy.earlier_id,
    reason = concat('agrees to ', CAST(round(near_copy.agreement, 2) AS VARCHAR))
FROM pending.near_copy AS near_copy
WHERE document.document_id = near_copy.document_id;
