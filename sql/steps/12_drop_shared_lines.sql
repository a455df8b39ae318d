-- Fills: corpus.shared_line, corpus.dropped_line; corpus.document.text without its source's
--     boilerplate
-- Command: corpus
-- Texts are read once: what DuckDB would keep of them in memory is of no use.
SET memory_limit = '600MB';

-- Looked for again in every source that has a document nobody looked at yet.
CREATE OR REPLACE TABLE pending.grown_source AS
SELECT DISTINCT
    document.benchmark,
    document.source
FROM corpus.document AS document
WHERE document.n_dropped IS NULL AND document.status IN ('ok', 'below_quality');

-- A document that was read anew has its lines again.
DELETE FROM corpus.dropped_line
WHERE
    document_id IN (
        SELECT document.document_id
        FROM corpus.document AS document
        WHERE document.n_dropped IS NULL
    );

-- Documents by number: there are many lines, and an id is 64 characters.
CREATE OR REPLACE TABLE pending.source_document AS
SELECT
    document.benchmark,
    document.source,
    document.document_id,
    CAST(row_number() OVER (ORDER BY document.document_id) AS INTEGER) AS turn
FROM corpus.document AS document
INNER JOIN pending.grown_source AS grown
    ON grown.benchmark = document.benchmark AND grown.source = document.source
WHERE document.status IN ('ok', 'below_quality');

CREATE OR REPLACE TABLE pending.text_line AS
WITH numbered AS (
    SELECT
        listed.benchmark,
        listed.source,
        listed.turn,
        unnest(string_split(document.text, chr(10))) AS line,
        unnest(generate_series(1, len(string_split(document.text, chr(10))))) AS place
    FROM pending.source_document AS listed
    INNER JOIN corpus.document AS document ON document.document_id = listed.document_id
)

SELECT
    numbered.benchmark,
    numbered.source,
    numbered.turn,
    CAST(numbered.place AS INTEGER) AS place,
    hash(trim(numbered.line, concat(' ', chr(12288)))) AS line_hash,
    length(numbered.line) AS n_char
FROM numbered
WHERE numbered.line <> '';

CREATE OR REPLACE TABLE pending.source_size AS
SELECT
    text_line.benchmark,
    text_line.source,
    CAST(count(DISTINCT text_line.turn) AS INTEGER) AS n_known
FROM pending.text_line AS text_line
GROUP BY text_line.benchmark, text_line.source;

-- Often = in 5 documents and a fifth of the source, or known from an earlier run.
CREATE OR REPLACE TABLE pending.often_line AS
WITH counted AS (
    SELECT
        text_line.benchmark,
        text_line.source,
        text_line.line_hash,
        count(DISTINCT text_line.turn) AS n_document
    FROM pending.text_line AS text_line
    GROUP BY text_line.benchmark, text_line.source, text_line.line_hash
)

SELECT
    counted.benchmark,
    counted.source,
    counted.line_hash
FROM counted
INNER JOIN pending.source_size AS size
    ON size.benchmark = counted.benchmark AND size.source = counted.source
WHERE counted.n_document >= 5 AND 5 * counted.n_document >= size.n_known
UNION
SELECT
    known.benchmark,
    known.source,
    hash(known.line) AS line_hash
FROM corpus.shared_line AS known;

-- A text that is mostly such lines is a copy of others or a filled-in form: it is no witness, and
-- is left as it is.
CREATE OR REPLACE TABLE pending.witness AS
SELECT text_line.turn
FROM pending.text_line AS text_line
LEFT JOIN pending.often_line AS often
    ON
        often.benchmark = text_line.benchmark
        AND often.source = text_line.source
        AND often.line_hash = text_line.line_hash
GROUP BY text_line.turn
HAVING
    2 * sum(CASE WHEN often.line_hash IS NOT NULL THEN text_line.n_char ELSE 0 END)
    <= sum(text_line.n_char);

-- The lines themselves, of which only sentences are boilerplate: headings (一、 or without a mark),
-- salutations and short formulas (谢谢大家！) stand in many texts that were written one by one.
CREATE OR REPLACE TABLE pending.often_place AS
SELECT
    often.benchmark,
    often.source,
    often.line_hash,
    listed.document_id,
    text_line.place,
    trim(string_split(document.text, chr(10))[text_line.place], concat(' ', chr(12288))) AS line
FROM pending.often_line AS often
INNER JOIN pending.text_line AS text_line
    ON
        text_line.benchmark = often.benchmark
        AND text_line.source = often.source
        AND text_line.line_hash = often.line_hash
INNER JOIN pending.witness AS witness ON witness.turn = text_line.turn
INNER JOIN pending.source_document AS listed ON listed.turn = text_line.turn
INNER JOIN corpus.document AS document ON document.document_id = listed.document_id;

INSERT INTO corpus.shared_line BY NAME
WITH weighed AS (
    SELECT
        often.benchmark,
        often.source,
        often.line,
        CAST(count(DISTINCT often.document_id) AS INTEGER) AS n_document,
        -- A Han character says as much as four Latin letters.
        length(regexp_replace(often.line, '[^\x{3400}-\x{9FFF}]', '', 'g'))
        + length(regexp_replace(often.line, '[^A-Za-z]', '', 'g')) / 4.0 AS weight
    FROM pending.often_place AS often
    GROUP BY often.benchmark, often.source, often.line
)

SELECT
    weighed.benchmark,
    weighed.source,
    weighed.line,
    weighed.n_document,
    size.n_known,
    run.run_id
FROM weighed
INNER JOIN pending.source_size AS size
    ON size.benchmark = weighed.benchmark AND size.source = weighed.source
CROSS JOIN pending.run AS run
WHERE
    weighed.n_document >= 5
    AND 5 * weighed.n_document >= size.n_known
    AND weighed.weight >= 12
    AND regexp_matches(weighed.line, '[。！？；，!?;,]|\.(\s|$)|https?://|www\.')
    AND NOT regexp_matches(weighed.line, '[：:]$')
    AND NOT regexp_matches(
        weighed.line,
        '^(第?[一二三四五六七八九十百]+[、.．章节条款]|[（(][一二三四五六七八九十\d]+[）)]|\d+[.．、])'
    )
    AND NOT EXISTS (
        SELECT 1
        FROM corpus.shared_line AS known
        WHERE
            known.benchmark = weighed.benchmark
            AND known.source = weighed.source
            AND known.line = weighed.line
    );

INSERT OR IGNORE INTO corpus.dropped_line BY NAME
SELECT
    often.document_id,
    document.text_hash,
    often.place,
    often.line,
    run.run_id
FROM pending.often_place AS often
INNER JOIN corpus.shared_line AS shared
    ON
        shared.benchmark = often.benchmark
        AND shared.source = often.source
        AND shared.line = often.line
INNER JOIN corpus.document AS document ON document.document_id = often.document_id
CROSS JOIN pending.run AS run;

CREATE OR REPLACE TABLE pending.shortened AS
WITH numbered AS (
    SELECT
        document.document_id,
        document.text_hash,
        unnest(string_split(document.text, chr(10))) AS line,
        unnest(generate_series(1, len(string_split(document.text, chr(10))))) AS place
    FROM corpus.document AS document
    WHERE
        document.document_id IN (
            SELECT changed.document_id
            FROM corpus.dropped_line AS changed
            WHERE changed.text_hash = document.text_hash
        )
),

kept AS (
    SELECT
        numbered.document_id,
        string_agg(numbered.line, chr(10) ORDER BY numbered.place)
        FILTER (WHERE dropped.place IS NULL) AS text,
        max(length(numbered.line)) FILTER (WHERE dropped.place IS NULL) AS longest,
        count(dropped.place) AS n_dropped
    FROM numbered
    LEFT JOIN corpus.dropped_line AS dropped
        ON
            dropped.document_id = numbered.document_id
            AND dropped.text_hash = numbered.text_hash
            AND dropped.place = numbered.place
    GROUP BY numbered.document_id
)

SELECT
    kept.document_id,
    trim(regexp_replace(kept.text, '\n{3,}', concat(chr(10), chr(10)), 'g'), chr(10)) AS text,
    length(regexp_replace(kept.text, '[^\p{L}]', '', 'g')) AS n_letter,
    kept.longest,
    kept.n_dropped
FROM kept;

-- As in extraction: 200 letters make a text, 40 a poem.
UPDATE corpus.document
SET
    text = shortened.text,
    text_hash = sha256(shortened.text),
    n_dropped = coalesce(document.n_dropped, 0) + shortened.n_dropped,
    status = CASE
        WHEN shortened.n_letter < 40 OR (shortened.n_letter < 200 AND shortened.longest > 40)
            THEN 'too_short'
        ELSE document.status
    END,
    reason = CASE
        WHEN shortened.n_letter < 40 OR (shortened.n_letter < 200 AND shortened.longest > 40)
            THEN concat(shortened.n_letter, '_letters_without_shared_lines')
        ELSE document.reason
    END
FROM pending.shortened AS shortened
WHERE shortened.document_id = document.document_id;

UPDATE corpus.document
SET n_dropped = 0
WHERE n_dropped IS NULL AND status IN ('ok', 'below_quality');

SET memory_limit = '80%';
