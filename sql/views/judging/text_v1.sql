-- Grain: benchmark, hash, kind
-- Answers: Which text stands behind a hash that judgements and calls name?
-- Formula: sha256 of instruction with grounding, reference, judged text, document text, prompt
--     body, and the dimensions that negotiators weigh; prompts and dimensions belong to no
--     benchmark.
-- Missing: texts that were edited since; the ledger keeps those it was asked with.
-- Replaces: none
-- Known issue: none
CREATE OR REPLACE VIEW bench.text_v1 AS
SELECT
    item.benchmark,
    item.instruction_hash AS hash,
    'instruction' AS kind,
    any_value(judged_instruction_v1(item.instruction, item.grounding)) AS text
FROM corpus.item AS item
GROUP BY item.benchmark, item.instruction_hash
UNION ALL
SELECT
    item.benchmark,
    item.reference_hash AS hash,
    'reference' AS kind,
    any_value(item.reference) AS text
FROM corpus.item AS item
GROUP BY item.benchmark, item.reference_hash
UNION ALL
SELECT
    writing.benchmark,
    writing.text_hash AS hash,
    'writing' AS kind,
    any_value(writing.judged_text) AS text
FROM corpus.writing AS writing
GROUP BY writing.benchmark, writing.text_hash
UNION ALL
SELECT
    document.benchmark,
    document.text_hash AS hash,
    'document' AS kind,
    any_value(document.text) AS text
FROM corpus.document AS document
WHERE document.text IS NOT NULL
GROUP BY document.benchmark, document.text_hash
UNION ALL
SELECT
    '' AS benchmark,
    prompt.prompt_hash AS hash,
    'prompt' AS kind,
    any_value(prompt.body) AS text
FROM judge.prompt AS prompt
GROUP BY prompt.prompt_hash
UNION ALL
SELECT
    '' AS benchmark,
    sha256(prompt.dimensions) AS hash,
    'dimensions' AS kind,
    prompt.dimensions AS text
FROM judge.prompt AS prompt
WHERE prompt.dimensions <> ''
GROUP BY prompt.dimensions
UNION ALL
SELECT
    '' AS benchmark,
    negotiation.dimensions_hash AS hash,
    'negotiation' AS kind,
    negotiation.dimensions AS text
FROM bench.negotiation_v1 AS negotiation
GROUP BY negotiation.dimensions_hash, negotiation.dimensions;

COMMENT ON VIEW bench.text_v1 IS 'Texts by sha256, as judges and negotiators are shown them.';
