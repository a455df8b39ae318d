-- Lines that a source puts on its pages: what was learnt, and what was taken out of which text.
CREATE TABLE corpus.shared_line (
    benchmark VARCHAR NOT NULL,
    source VARCHAR NOT NULL,
    line VARCHAR NOT NULL,
    n_document INTEGER NOT NULL,
    n_known INTEGER NOT NULL,
    run_id UUID NOT NULL,
    PRIMARY KEY (benchmark, source, line)
);
COMMENT ON TABLE corpus.shared_line IS
'Boilerplate of a source: n_document of its n_known documents held the line when it was found.';

CREATE TABLE corpus.dropped_line (
    document_id VARCHAR NOT NULL,
    text_hash VARCHAR NOT NULL,
    place INTEGER NOT NULL,
    line VARCHAR NOT NULL,
    run_id UUID NOT NULL,
    PRIMARY KEY (document_id, text_hash, place)
);
COMMENT ON TABLE corpus.dropped_line IS
'A shared line taken out: text_hash is of the text before, place its number from 1 there.';

ALTER TABLE corpus.document ADD COLUMN n_dropped INTEGER;
COMMENT ON COLUMN corpus.document.n_dropped IS
'Shared lines taken out of the text; NULL until they were looked for.';
