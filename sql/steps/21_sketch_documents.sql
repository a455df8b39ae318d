-- Fills: corpus.document_sketch, the MinHash sketch of every good document
-- Command: corpus
CREATE OR REPLACE TABLE pending.unsketched AS
SELECT
    document.document_id,
    document.text_hash,
    document.text
FROM corpus.document AS document
LEFT JOIN corpus.document_sketch AS sketch
    ON
        sketch.document_id = document.document_id
        AND sketch.text_hash = document.text_hash
        AND sketch.sketch_version = (SELECT run.sketch_version FROM pending.run AS run)
WHERE document.status IN ('ok', 'below_quality') AND sketch.document_id IS NULL;

INSERT OR REPLACE INTO corpus.document_sketch BY NAME
SELECT
    called.document_id,
    called.text_hash,
    run.sketch_version,
    called.sketch.signature,
    called.sketch.bands
FROM (
    SELECT
        unsketched.document_id,
        unsketched.text_hash,
        sketch_text(unsketched.text) AS sketch
    FROM pending.unsketched AS unsketched
) AS called
CROSS JOIN pending.run AS run;
