-- Fills: corpus.document.status and duplicate_of for near copies of an earlier document
-- Command: corpus
-- A near copy shares 0.65 or more of its grams with an earlier text (5-gram Jaccard; copies from
-- 0.7 on are wanted, and dropping punctuation from grams moves the figure a little).
-- Candidates share two bands or more: at Jaccard 0.7 that has probability 0.998, while texts that
-- share only their site's boilerplate (0.1) almost never do. In a band that very many texts share
-- each is compared with its first 20 only: a mass of copies needs no more, boilerplate no less.
CREATE OR REPLACE TABLE pending.sketched AS
SELECT
    document.document_id,
    document.benchmark,
    CAST(row_number() OVER (ORDER BY document.fetched_at, document.document_id) AS INTEGER)
        AS turn
FROM corpus.document AS document
INNER JOIN corpus.document_sketch AS sketch
    ON
        sketch.document_id = document.document_id
        AND sketch.text_hash = document.text_hash
WHERE document.status IN ('ok', 'below_quality') AND sketch.bands IS NOT NULL;

CREATE OR REPLACE TABLE pending.band AS
SELECT
    sketched.turn,
    -- Equal bands of two benchmarks never meet.
    hash(sketched.benchmark, unnest(sketch.bands)) AS band
FROM pending.sketched AS sketched
INNER JOIN corpus.document_sketch AS sketch ON sketch.document_id = sketched.document_id;

-- Few bands are shared at all, so all that follows is small.
CREATE OR REPLACE TABLE pending.shared_band AS
SELECT
    band.turn,
    band.band,
    row_number() OVER (PARTITION BY band.band ORDER BY band.turn) AS place
FROM pending.band AS band
WHERE
    band.band IN (
        SELECT often.band
        FROM pending.band AS often
        GROUP BY often.band
        HAVING count(*) > 1
    );

CREATE OR REPLACE TABLE pending.near_pair AS
WITH candidate AS (
    SELECT
        later.turn AS later,
        earlier.turn AS earlier
    FROM pending.shared_band AS later
    INNER JOIN pending.shared_band AS earlier
        ON
            earlier.band = later.band
            AND earlier.place < later.place
            AND earlier.place <= 20
    GROUP BY later.turn, earlier.turn
    HAVING count(*) >= 2
)

SELECT
    candidate.later,
    candidate.earlier,
    later.document_id AS later_id,
    earlier.document_id AS earlier_id,
    sketch_agreement_v1(later_sketch.signature, earlier_sketch.signature) AS agreement
FROM candidate
INNER JOIN pending.sketched AS later ON later.turn = candidate.later
INNER JOIN pending.sketched AS earlier ON earlier.turn = candidate.earlier
INNER JOIN corpus.document_sketch AS later_sketch ON later_sketch.document_id = later.document_id
INNER JOIN corpus.document_sketch AS earlier_sketch
    ON earlier_sketch.document_id = earlier.document_id;

-- The agreement of 128 places is within 0.15 of the Jaccard similarity (3 sigma); where that leaves
-- a doubt the grams themselves are compared.
CREATE OR REPLACE TABLE pending.doubtful_pair AS
SELECT
    called.later,
    called.earlier,
    called.similarity
FROM (
    SELECT
        pair.later,
        pair.earlier,
        compare_texts(later.text, earlier.text) AS similarity
    FROM pending.near_pair AS pair
    INNER JOIN corpus.document AS later ON later.document_id = pair.later_id
    INNER JOIN corpus.document AS earlier ON earlier.document_id = pair.earlier_id
    WHERE pair.agreement >= 0.5 AND pair.agreement < 0.8
) AS called;

CREATE OR REPLACE TABLE pending.near_copy AS
WITH compared AS (
    SELECT
        pair.later_id,
        pair.earlier_id,
        pair.earlier,
        coalesce(doubtful.similarity, pair.agreement) AS similarity
    FROM pending.near_pair AS pair
    LEFT JOIN pending.doubtful_pair AS doubtful
        ON doubtful.later = pair.later AND doubtful.earlier = pair.earlier
)

SELECT
    compared.later_id AS document_id,
    arg_min(compared.earlier_id, compared.earlier) AS earlier_id,
    arg_min(compared.similarity, compared.earlier) AS similarity
FROM compared
WHERE compared.similarity >= 0.65
GROUP BY compared.later_id;

UPDATE corpus.document
SET
    status = 'near_duplicate',
    duplicate_of = near_copy.earlier_id,
    reason = concat('agrees to ', CAST(round(near_copy.similarity, 2) AS VARCHAR))
FROM pending.near_copy AS near_copy
WHERE document.document_id = near_copy.document_id;
