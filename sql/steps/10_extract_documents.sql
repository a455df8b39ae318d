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

DELETE FROM corpus.document
WHERE document_id IN (SELECT article.document_id FROM pending.article AS article);

-- One good part makes the document good, and its short parts then belong to it; otherwise the first
-- part's status stands.
INSERT INTO corpus.document BY NAME
WITH joined AS (
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
        arg_min(extract.extract.lang, extract.part) AS lang,
        arg_min(extract.extract.encoding, extract.part) AS encoding,
        arg_min(extract.extract.status, extract.part) AS first_status,
        arg_min(extract.extract.reason, extract.part) AS first_reason,
        arg_min(extract.licence, extract.part) AS licence,
        min(extract.fetched_at) AS fetched_at,
        CAST(count(*) AS INTEGER) AS n_part
    FROM pending.extract AS extract
    GROUP BY extract.document_id
)

SELECT
    article.document_id,
    article.benchmark,
    article.source,
    article.article_url AS url,
    joined.title,
    joined.author,
    joined.published,
    joined.lang,
    joined.encoding,
    joined.licence,
    CASE WHEN joined.n_good > 0 THEN joined.good_text ELSE joined.any_text END AS text,
    sha256(CASE WHEN joined.n_good > 0 THEN joined.good_text ELSE joined.any_text END)
        AS text_hash,
    joined.n_part,
    joined.fetched_at,
    run.extractor_version,
    article.input_hash,
    CASE WHEN joined.n_good > 0 THEN 'ok' ELSE joined.first_status END AS status,
    CASE WHEN joined.n_good = 0 THEN joined.first_reason END AS reason,
    run.run_id
FROM pending.article AS article
INNER JOIN joined ON joined.document_id = article.document_id
CROSS JOIN pending.run AS run;
