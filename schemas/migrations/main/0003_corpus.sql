-- Documents, what models said of them, the items built from them and the writings for the items.
CREATE SCHEMA IF NOT EXISTS corpus;

CREATE TYPE corpus.row_status AS ENUM(
    'ok', 'repaired',
    'http_429', 'http_5xx', 'http_4xx', 'timeout', 'dropped', 'error_in_200', 'refused',
    'filtered', 'truncated', 'empty', 'prompt_cut',
    'unparsable', 'out_of_range', 'conflicting',
    'no_text', 'no_reference', 'not_applicable', 'skipped_budget', 'not_in_ledger'
);
CREATE TYPE corpus.writing_status AS ENUM(
    'ok', 'no_text', 'damaged', 'not_imported', 'withdrawn'
);

CREATE TABLE corpus.genre (
    genre VARCHAR NOT NULL,
    kind VARCHAR NOT NULL,
    name_zh VARCHAR NOT NULL,
    name_en VARCHAR NOT NULL,
    PRIMARY KEY (genre)
);
COMMENT ON TABLE corpus.genre IS 'The 12 genre groups; kind is creative or functional (SPEC 3).';

CREATE TABLE corpus.genre_label (
    label VARCHAR NOT NULL,
    origin VARCHAR NOT NULL,
    genre VARCHAR NOT NULL,
    rubric VARCHAR NOT NULL,
    PRIMARY KEY (label)
);
COMMENT ON TABLE corpus.genre_label IS
'Label of the classifier or of a released file -> genre group and quality rubric.';

CREATE TABLE corpus.document (
    document_id VARCHAR NOT NULL,
    benchmark VARCHAR NOT NULL,
    source VARCHAR NOT NULL,
    url VARCHAR NOT NULL,
    title VARCHAR,
    author VARCHAR,
    published VARCHAR,
    lang VARCHAR,
    encoding VARCHAR,
    licence VARCHAR,
    text VARCHAR,
    text_hash VARCHAR,
    n_part INTEGER NOT NULL,
    fetched_at TIMESTAMP NOT NULL,
    extractor_version VARCHAR NOT NULL,
    input_hash VARCHAR NOT NULL,
    duplicate_of VARCHAR,
    status raw.page_status NOT NULL,
    reason VARCHAR,
    run_id UUID NOT NULL,
    PRIMARY KEY (document_id)
);
COMMENT ON TABLE corpus.document IS
'One row per article, parts joined; document_id = sha256 of benchmark, source and article URL.';

CREATE TABLE corpus.document_sketch (
    document_id VARCHAR NOT NULL,
    text_hash VARCHAR NOT NULL,
    sketch_version VARCHAR NOT NULL,
    signature UINTEGER[],
    bands UBIGINT[],
    PRIMARY KEY (document_id)
);
COMMENT ON TABLE corpus.document_sketch IS 'MinHash signature and band hashes of a document text.';

CREATE TABLE corpus.annotation (
    document_id VARCHAR NOT NULL,
    stage VARCHAR NOT NULL,
    key VARCHAR NOT NULL,
    value VARCHAR,
    model VARCHAR NOT NULL,
    prompt_id VARCHAR NOT NULL,
    input_hash VARCHAR NOT NULL,
    parser_version VARCHAR NOT NULL,
    status corpus.row_status NOT NULL,
    reason VARCHAR,
    call_key VARCHAR,
    run_id UUID NOT NULL,
    PRIMARY KEY (document_id, stage, key, model, prompt_id, input_hash, parser_version)
);
COMMENT ON TABLE corpus.annotation IS
'What a model said of a document; stage genre, quality or construct; key names the field.';

CREATE TABLE corpus.item (
    benchmark VARCHAR NOT NULL,
    item_id VARCHAR NOT NULL,
    task VARCHAR NOT NULL,
    genre VARCHAR NOT NULL,
    sub_task VARCHAR,
    lang VARCHAR NOT NULL,
    instruction VARCHAR NOT NULL,
    grounding VARCHAR NOT NULL DEFAULT '',
    reference VARCHAR NOT NULL DEFAULT '',
    document_id VARCHAR,
    reference_source VARCHAR NOT NULL DEFAULT 'human',
    status VARCHAR NOT NULL DEFAULT 'accepted',
    reason VARCHAR,
    instruction_hash VARCHAR NOT NULL,
    reference_hash VARCHAR NOT NULL,
    record_id VARCHAR,
    run_id UUID NOT NULL,
    PRIMARY KEY (benchmark, item_id),
    CHECK (status IN ('accepted', 'rejected', 'withdrawn'))
);
COMMENT ON TABLE corpus.item IS
'One instruction with grounding and reference; instruction_hash covers I and G as judges see them.';

CREATE TABLE corpus.item_scope (
    benchmark VARCHAR NOT NULL,
    item_id VARCHAR NOT NULL,
    scope VARCHAR NOT NULL,
    PRIMARY KEY (benchmark, item_id, scope)
);
COMMENT ON TABLE corpus.item_scope IS
'all, task:<t>, genre:<g>, lang:<l> … that an item counts in.';

CREATE TABLE corpus.writing (
    benchmark VARCHAR NOT NULL,
    writing_id VARCHAR NOT NULL,
    item_id VARCHAR NOT NULL,
    system VARCHAR NOT NULL,
    sample INTEGER NOT NULL DEFAULT 0,
    text VARCHAR NOT NULL,
    judged_text VARCHAR NOT NULL,
    perturbation VARCHAR,
    seed INTEGER,
    source_writing_id VARCHAR,
    status corpus.writing_status NOT NULL,
    reason VARCHAR,
    has_damage BOOLEAN NOT NULL DEFAULT false,
    has_thought BOOLEAN NOT NULL DEFAULT false,
    text_hash VARCHAR NOT NULL,
    sampling VARCHAR,
    record_id VARCHAR,
    call_key VARCHAR,
    run_id UUID NOT NULL,
    PRIMARY KEY (benchmark, writing_id)
);
COMMENT ON TABLE corpus.writing IS
'One system''s output for one item; judged_text is what judges see, text_hash its sha256.';
