-- Grain: benchmark, source, stage, reason
-- Answers: What became of every page, stage by stage?
-- Formula: each page that reaches a stage is counted there once, with reason ok if it goes on,
--     else with what stopped it: fetched, article (not a list page), extracted, unique, labelled,
--     kept (quality 4 and better), item (an accepted item was built). n of a stage = n of ok at
--     the stage before.
-- Missing: never_asked = the step has not taken the page up yet; no_item = nothing was built from
--     it.
-- Replaces: none
-- Known issue: none
CREATE OR REPLACE VIEW bench.corpus_funnel_v1 AS
WITH item_state AS (
    SELECT
        item.document_id,
        count(CASE WHEN item.status = 'accepted' THEN 1 END) AS n_accepted,
        max(item.status) AS other_status
    FROM corpus.item AS item
    WHERE item.document_id IS NOT NULL
    GROUP BY item.document_id
),

answer_state AS (
    SELECT
        cell.document_id,
        max(CASE WHEN cell.stage = 'genre' THEN cell.known_status END) AS genre_status,
        max(CASE WHEN cell.stage = 'quality' THEN cell.known_status END) AS quality_status
    FROM bench.annotation_cell_v1 AS cell
    GROUP BY cell.document_id
),

page_state AS (
    SELECT
        page.benchmark,
        page.source,
        page.page_id,
        document.document_id,
        CAST(page.status AS VARCHAR) AS page_status,
        page.kind,
        CAST(document.status AS VARCHAR) AS document_status,
        label.genre,
        label.label,
        label.quality,
        answer_state.genre_status,
        answer_state.quality_status,
        item_state.n_accepted,
        item_state.other_status
    FROM raw.page AS page
    LEFT JOIN corpus.document AS document
        ON
            document.benchmark = page.benchmark
            AND document.source = page.source
            AND document.url = page.article_url
    LEFT JOIN bench.document_label_v1 AS label ON label.document_id = document.document_id
    LEFT JOIN answer_state ON answer_state.document_id = document.document_id
    LEFT JOIN item_state ON item_state.document_id = document.document_id
),

-- One reason per stage; NULL = the page goes on.
verdict AS (
    SELECT
        page_state.benchmark,
        page_state.source,
        page_state.page_id,
        page_state.document_id,
        nullif(page_state.page_status, 'ok') AS at_fetched,
        CASE WHEN page_state.kind = 'list' THEN 'not_article' END AS at_article,
        CASE
            WHEN page_state.document_id IS NULL THEN 'never_asked'
            WHEN
                page_state.document_status NOT IN (
                    'ok', 'duplicate', 'near_duplicate', 'below_quality'
                )
                THEN page_state.document_status
        END AS at_extracted,
        CASE
            WHEN page_state.document_status IN ('duplicate', 'near_duplicate')
                THEN page_state.document_status
        END AS at_unique,
        CASE
            WHEN page_state.genre IS NOT NULL THEN NULL
            WHEN page_state.label IS NOT NULL THEN 'unknown_label'
            ELSE coalesce(page_state.genre_status, 'never_asked')
        END AS at_labelled,
        CASE
            WHEN page_state.document_status = 'below_quality' OR page_state.quality < 4
                THEN 'below_quality'
            WHEN page_state.quality IS NULL
                THEN coalesce(page_state.quality_status, 'never_asked')
        END AS at_kept,
        CASE
            WHEN coalesce(page_state.n_accepted, 0) = 0
                THEN coalesce(page_state.other_status, 'no_item')
        END AS at_item
    FROM page_state
),

stopped AS (
    SELECT
        verdict.benchmark,
        verdict.source,
        verdict.page_id,
        verdict.document_id,
        CASE
            WHEN verdict.at_fetched IS NOT NULL THEN 1
            WHEN verdict.at_article IS NOT NULL THEN 2
            WHEN verdict.at_extracted IS NOT NULL THEN 3
            WHEN verdict.at_unique IS NOT NULL THEN 4
            WHEN verdict.at_labelled IS NOT NULL THEN 5
            WHEN verdict.at_kept IS NOT NULL THEN 6
            WHEN verdict.at_item IS NOT NULL THEN 7
            ELSE 8
        END AS position,
        coalesce(
            verdict.at_fetched,
            verdict.at_article,
            verdict.at_extracted,
            verdict.at_unique,
            verdict.at_labelled,
            verdict.at_kept,
            verdict.at_item
        ) AS reason
    FROM verdict
),

stage AS (
    SELECT
        stage_name.position,
        stage_name.stage
    FROM (
        VALUES
        (1, 'fetched'),
        (2, 'article'),
        (3, 'extracted'),
        (4, 'unique'),
        (5, 'labelled'),
        (6, 'kept'),
        (7, 'item')
    ) AS stage_name (position, stage)
),

-- A page is counted at every stage up to the one that stopped it.
reached AS (
    SELECT
        stopped.benchmark,
        stopped.source,
        stage.stage,
        stage.position,
        CASE WHEN stopped.position = stage.position THEN stopped.reason ELSE 'ok' END AS reason,
        stopped.document_id
    FROM stopped
    INNER JOIN stage ON stage.position <= stopped.position
)

SELECT
    reached.benchmark,
    reached.source,
    reached.stage,
    reached.reason,
    reached.position,
    count(*) AS n,
    count(DISTINCT reached.document_id) AS n_document
FROM reached
GROUP BY
    reached.benchmark,
    reached.source,
    reached.stage,
    reached.reason,
    reached.position;

COMMENT ON VIEW bench.corpus_funnel_v1 IS
'Pages of each source counted at every stage they reach, with what stopped them.';
