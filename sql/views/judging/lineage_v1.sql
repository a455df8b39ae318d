-- Grain: benchmark, writing_id, leaf, judge, reference_mode, presentation, repeat
-- Answers: Where does a number come from: cell, leaf, reply, prompt, item, document, page?
-- Formula: the current row of every cell of leaf_answer_v1 joined to what it names; page is the
--     first of the document's n_page pages, record the line of an imported file.
-- Missing: NULL from the first step that does not exist: rule leaves have no call, imported items
--     no document, cells never asked no status.
-- Replaces: none
-- Known issue: none
CREATE OR REPLACE VIEW bench.lineage_v1 AS
WITH document_page AS (
    SELECT
        document.document_id,
        min_by(page.page_id, page.part) AS page_id,
        min_by(page.url, page.part) AS url,
        min_by(page.landing_file, page.part) AS landing_file,
        count(*) AS n_page
    FROM corpus.document AS document
    INNER JOIN raw.page AS page
        ON
            page.benchmark = document.benchmark
            AND page.source = document.source
            AND page.article_url = document.url
    WHERE page.status = 'ok' AND page.kind <> 'list'
    GROUP BY document.document_id
)

SELECT
    answer.benchmark,
    answer.writing_id,
    answer.leaf,
    answer.judge,
    answer.reference_mode,
    answer.presentation,
    answer.repeat,
    answer.system,
    answer.perturbation,
    answer.score,
    answer.status,
    answer.run_id,
    answer.input_hash,
    answer.call_key,
    call.model AS called_model,
    call.served_model,
    call.first_sent_at,
    reply.value AS reply_value,
    reply.text AS reply_text,
    answer.parser_version,
    answer.prompt_id,
    prompt.version AS prompt_version,
    answer.prompt_hash,
    answer.item_id,
    item.record_id AS item_record_id,
    writing.record_id AS writing_record_id,
    writing.call_key AS writing_call_key,
    item.document_id,
    document.source,
    document.title,
    document.licence,
    document_page.page_id,
    document_page.url,
    document_page.landing_file,
    document_page.n_page
FROM bench.leaf_answer_v1 AS answer
INNER JOIN corpus.item AS item
    ON item.benchmark = answer.benchmark AND item.item_id = answer.item_id
INNER JOIN corpus.writing AS writing
    ON writing.benchmark = answer.benchmark AND writing.writing_id = answer.writing_id
LEFT JOIN judge.call AS call ON call.call_key = answer.call_key
LEFT JOIN judge.reply AS reply
    ON
        reply.call_key = answer.call_key
        AND reply.parser_version = answer.parser_version
LEFT JOIN judge.prompt AS prompt ON prompt.prompt_id = answer.prompt_id
LEFT JOIN corpus.document AS document ON document.document_id = item.document_id
LEFT JOIN document_page ON document_page.document_id = item.document_id;

COMMENT ON VIEW bench.lineage_v1 IS
'Every judged leaf with the reply, prompt, item, document and page it rests on.';
