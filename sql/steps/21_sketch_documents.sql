-- Fills: corpus.document_sketch, the MinHash sketch of every good document
-- Command: corpus
-- Texts are read once: what DuckDB would keep of them in memory is of no use.
SET memory_limit = '600MB';

CREATE OR REPLACE TABLE pending.unsketched AS
SELECT document.document_id
FROM corpus.document AS document
LEFT JOIN corpus.document_sketch AS sketch
    ON
        sketch.document_id = document.document_id
        AND sketch.text_hash = document.text_hash
        AND sketch.sketch_version = (SELECT run.sketch_version FROM pending.run AS run)
WHERE document.status IN ('ok', 'below_quality') AND sketch.document_id IS NULL;

-- The texts are read where they stand: a copy of them would cost more than the sketches.
INSERT OR REPLACE INTO corpus.document_sketch BY NAME
SELECT
    called.document_id,
    called.text_hash,
    run.sketch_version,
    called.sketch.signature,
    called.sketch.bands
FROM (
    SELECT
        document.document_id,
        document.text_hash,
        sketch_text(document.text) AS sketch
    FROM corpus.document AS document
    INNER JOIN pending.unsketched AS unsketched
        ON unsketched.document_id = document.document_id
) AS called
CROSS JOIN pending.run AS run;

SET memory_limit = '80%';
