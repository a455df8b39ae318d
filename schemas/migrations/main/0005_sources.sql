-- What was read, what was taken down, and what a document is beyond its text.
CREATE TABLE raw.landing_file (
    benchmark VARCHAR NOT NULL,
    file VARCHAR NOT NULL,
    n_byte BIGINT NOT NULL,
    n_record INTEGER NOT NULL,
    run_id UUID NOT NULL,
    PRIMARY KEY (benchmark, file)
);
COMMENT ON TABLE raw.landing_file IS
'Landing files read to their end; one that has grown since is read again.';

CREATE TABLE raw.withdrawal (
    kind VARCHAR NOT NULL,
    target VARCHAR NOT NULL,
    reason VARCHAR NOT NULL,
    withdrawn_at TIMESTAMP NOT NULL,
    run_id UUID NOT NULL,
    PRIMARY KEY (kind, target),
    CHECK (kind IN ('url', 'document', 'item'))
);
COMMENT ON TABLE raw.withdrawal IS
'Takedown requests; they hold for rows that are there and for rows that come later.';

ALTER TABLE corpus.document ADD COLUMN piece INTEGER DEFAULT 1;
ALTER TABLE corpus.document ADD COLUMN script VARCHAR;
ALTER TABLE corpus.document ADD COLUMN doc_number VARCHAR;
ALTER TABLE corpus.document ADD COLUMN addressee VARCHAR;
ALTER TABLE corpus.document ADD COLUMN attachments VARCHAR;
ALTER TABLE corpus.document ADD COLUMN signed VARCHAR;
ALTER TABLE corpus.document ADD COLUMN changed_at TIMESTAMP;
ALTER TABLE corpus.document ADD COLUMN vanished_at TIMESTAMP;
COMMENT ON COLUMN corpus.document.piece IS
'Which text of its page: a collection (5篇) gives one document each.';
COMMENT ON COLUMN corpus.document.script IS 'Simplified (hans) or traditional (hant) Chinese.';
COMMENT ON COLUMN corpus.document.doc_number IS '文号 of an official document.';
COMMENT ON COLUMN corpus.document.addressee IS '主送 of an official document.';
COMMENT ON COLUMN corpus.document.attachments IS '附件 of an official document, one a line.';
COMMENT ON COLUMN corpus.document.signed IS '成文日期 of an official document, YYYY-MM-DD.';
COMMENT ON COLUMN corpus.document.changed_at IS 'When a later fetch first gave other bytes.';
COMMENT ON COLUMN corpus.document.vanished_at IS 'When a later fetch found it gone (404, 410).';
