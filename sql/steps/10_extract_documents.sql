-- Fills: corpus.document, one row per article with its parts joined in order
-- Command: corpus
CREATE OR REPLACE TABLE pending.article AS
WITH article AS (
    SELECT
        page.benchmark,
        page.source,
        page.article_url,
        sha256(concat(page.benchmark, '|', page.source, '|', page.article_url)) AS document_id,
        sha256(string_agg(page.body_hash, '|' ORDER BY page.part, page.page_id)) AS input_hash
    FROM raw.page AS page
    WHERE page.status = 'ok' AND page.kind <> 'list'
    GROUP BY page.benchmark, page.source, page.article_url
)

SELECT
    article.benchmark,
    article.source,
    article.article_url,
    article.document_id,
    article.input_hash
FROM article
LEFT JOIN corpus.document AS document
    ON
        document.document_id = article.document_id
        AND document.input_hash = article.input_hash
        AND document.extractor_version = (SELECT run.extractor_version FROM pending.run AS run)
WHERE document.document_id IS NULL;

CREATE OR REPLACE TABLE pending.page AS
SELECT
    article.document_id,
    page.page_id,
    page.part,
    page.url,
    page.content_type,
    page.body,
    page.licence,
    page.fetched_at
FROM pending.article AS article
INNER JOIN raw.page AS page
    ON
        page.benchmark = article.benchmark
        AND page.source = article.source
        AND page.article_url = article.article_url
WHERE page.status = 'ok' AND page.kind <> 'list'
-- A page that was fetched again counts once, as it is now.
QUALIFY
    row_number() OVER (
        PARTITION BY article.document_id, page.url ORDER BY page.fetched_at DESC, page.page_id ASC
    ) = 1;

CREATE OR REPLACE TABLE pending.extract AS
SELECT
    called.document_id,
    called.part,
    called.page_id,
    called.licence,
    called.fetched_at,
    called.extract
FROM (
    SELECT
        page.document_id,
        page.part,
        page.page_id,
        page.licence,
        page.fetched_at,
        extract_page(page.body, page.content_type, page.url) AS extract
    FROM pending.page AS page
) AS called;

-- One good part makes the article good, and its short parts then belong to it; otherwise the first
-- part's status stands.
CREATE OR REPLACE TABLE pending.joined AS
SELECT
    joined.document_id,
    joined.title,
    joined.author,
    joined.published,
    joined.encoding,
    joined.licence,
    joined.fetched_at,
    joined.n_part,
    CASE WHEN joined.n_good > 0 THEN joined.good_text ELSE joined.any_text END AS text,
    CASE WHEN joined.n_good > 0 THEN 'ok' ELSE joined.first_status END AS status,
    CASE WHEN joined.n_good = 0 THEN joined.first_reason END AS reason
FROM (
    SELECT
        extract.document_id,
        string_agg(extract.extract.text, concat(chr(10), chr(10)) ORDER BY extract.part)
        FILTER (WHERE extract.extract.status IN ('ok', 'too_short')) AS good_text,
        count(*) FILTER (WHERE extract.extract.status = 'ok') AS n_good,
        string_agg(extract.extract.text, concat(chr(10), chr(10)) ORDER BY extract.part)
            AS any_text,
        arg_min(extract.extract.title, extract.part) AS title,
        arg_min(extract.extract.author, extract.part) AS author,
        arg_min(extract.extract.published, extract.part) AS published,
        arg_min(extract.extract.encoding, extract.part) AS encoding,
        arg_min(extract.extract.status, extract.part) AS first_status,
        arg_min(extract.extract.reason, extract.part) AS first_reason,
        arg_min(extract.licence, extract.part) AS licence,
        min(extract.fetched_at) AS fetched_at,
        CAST(count(*) AS INTEGER) AS n_part
    FROM pending.extract AS extract
    GROUP BY extract.document_id
) AS joined;

CREATE OR REPLACE TABLE pending.piece AS
SELECT
    called.document_id,
    unnest(called.pieces) AS piece
FROM (
    SELECT
        joined.document_id,
        split_pieces(joined.title, joined.text) AS pieces
    FROM pending.joined AS joined
) AS called;

DELETE FROM corpus.document
WHERE
    (benchmark, source, split_part(url, '#', 1)) IN (
        SELECT
            article.benchmark,
            article.source,
            article.article_url
        FROM pending.article AS article
    );

-- The first text of a page has the page's own id and address, the others carry their number.
INSERT INTO corpus.document BY NAME
SELECT
    CASE
        WHEN piece.piece.piece = 1 THEN article.document_id
        ELSE sha256(concat(article.document_id, '|', piece.piece.piece))
    END AS document_id,
    article.benchmark,
    article.source,
    concat(
        article.article_url,
        CASE WHEN piece.piece.piece > 1 THEN concat('#', piece.piece.piece) END
    ) AS url,
    piece.piece.piece,
    piece.piece.title,
    joined.author,
    joined.published,
    piece.piece.lang,
    piece.piece.script,
    piece.piece.doc_number,
    piece.piece.addressee,
    piece.piece.attachments,
    piece.piece.signed,
    joined.encoding,
    joined.licence,
    CASE WHEN joined.text IS NOT NULL THEN piece.piece.text END AS text,
    CASE WHEN joined.text IS NOT NULL THEN sha256(piece.piece.text) END AS text_hash,
    joined.n_part,
    joined.fetched_at,
    run.extractor_version,
    article.input_hash,
    joined.status,
    joined.reason,
    run.run_id
FROM pending.article AS article
INNER JOIN pending.joined AS joined ON joined.document_id = article.document_id
INNER JOIN pending.piece AS piece ON piece.document_id = article.document_id
CROSS JOIN pending.run AS run;

-- Later fetches of the article's first page: other bytes, or gone.
UPDATE corpus.document
SET changed_at = later.changed_at, vanished_at = later.vanished_at
FROM (
    SELECT
        page.benchmark,
        page.source,
        page.url,
        CASE
            WHEN count(DISTINCT page.body_hash) FILTER (WHERE page.status = 'ok') > 1
                THEN max(page.fetched_at) FILTER (WHERE page.status = 'ok')
        END AS changed_at,
        CASE
            WHEN arg_max(page.http_status, page.fetched_at) IN (404, 410)
                THEN max(page.fetched_at)
        END AS vanished_at
    FROM raw.page AS page
    GROUP BY page.benchmark, page.source, page.url
    HAVING count(*) > 1
) AS later
WHERE
    document.benchmark = later.benchmark
    AND document.source = later.source
    AND split_part(document.url, '#', 1) = later.url;
