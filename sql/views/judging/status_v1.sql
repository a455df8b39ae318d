-- Grain: benchmark, stage, status
-- Answers: What is done, pending, to be asked again or final at each stage?
-- Formula: pages, imported lines, documents and writings by their own status; answers about
--     documents, weights, leaf scores and metrics that the last run asks for by the status of their
--     current row; a text that its writer failed to give by what became of the call; handling from
--     the closed status lists (SPEC 8): good, retry, final, recompute.
-- Missing: what has no row yet counts as never_asked, handling pending; for documents: articles
--     that were not extracted.
-- Replaces: none
-- Known issue: none
CREATE OR REPLACE VIEW bench.status_v1 AS
WITH stage_row AS (
    SELECT
        page.benchmark,
        'page' AS stage,
        'page' AS list,
        CAST(page.status AS VARCHAR) AS status
    FROM raw.page AS page
    UNION ALL
    SELECT
        record.benchmark,
        'record' AS stage,
        'record' AS list,
        record.status
    FROM raw.record AS record
    UNION ALL
    SELECT
        article.benchmark,
        'document' AS stage,
        'page' AS list,
        coalesce(CAST(document.status AS VARCHAR), 'never_asked') AS status
    FROM (
        SELECT DISTINCT
            page.benchmark,
            page.source,
            page.article_url
        FROM raw.page AS page
        WHERE page.status = 'ok' AND page.kind <> 'list'
    ) AS article
    LEFT JOIN corpus.document AS document
        ON
            document.benchmark = article.benchmark
            AND document.source = article.source
            AND document.url = article.article_url
    UNION ALL
    SELECT
        cell.benchmark,
        cell.stage,
        'row' AS list,
        coalesce(cell.known_status, 'never_asked') AS status
    FROM bench.annotation_cell_v1 AS cell
    UNION ALL
    SELECT
        writing.benchmark,
        'write' AS stage,
        CASE WHEN answer.status IS NULL THEN 'writing' ELSE answer.list END AS list,
        coalesce(answer.status, CAST(writing.status AS VARCHAR)) AS status
    FROM corpus.writing AS writing
    LEFT JOIN run.status AS answer
        ON
            answer.list = 'row'
            AND writing.status = 'no_text'
            AND answer.handling <> 'good'
            AND answer.status = writing.reason
    UNION ALL
    SELECT
        weight_answer.benchmark,
        'negotiate' AS stage,
        'row' AS list,
        weight_answer.status
    FROM bench.edge_answer_v1 AS weight_answer
    UNION ALL
    SELECT
        answer.benchmark,
        'score' AS stage,
        'row' AS list,
        answer.status
    FROM bench.leaf_answer_v1 AS answer
    UNION ALL
    SELECT
        cell.benchmark,
        'measure' AS stage,
        'row' AS list,
        coalesce(cell.known_status, 'never_asked') AS status
    FROM bench.metric_cell_v1 AS cell
),

counted AS (
    SELECT
        stage_row.benchmark,
        stage_row.stage,
        stage_row.list,
        stage_row.status,
        count(*) AS n
    FROM stage_row
    GROUP BY stage_row.benchmark, stage_row.stage, stage_row.list, stage_row.status
)

SELECT
    counted.benchmark,
    counted.stage,
    counted.status,
    CASE
        WHEN counted.status = 'never_asked' THEN 'pending'
        WHEN counted.list = 'record' AND counted.status = 'ok' THEN 'good'
        WHEN counted.list = 'record' THEN 'final'
        ELSE status.handling
    END AS handling,
    counted.n
FROM counted
LEFT JOIN run.status AS status
    ON status.list = counted.list AND status.status = counted.status;

COMMENT ON VIEW bench.status_v1 IS
'Rows of every stage counted by status, and whether the next run takes them up.';
