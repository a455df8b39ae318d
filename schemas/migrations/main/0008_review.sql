-- What people were shown of items, what they decided, what items said before, and marks in texts.
CREATE TABLE corpus.review_round (
    benchmark VARCHAR NOT NULL,
    round INTEGER NOT NULL,
    kind VARCHAR NOT NULL,
    seed BIGINT NOT NULL,
    run_id UUID NOT NULL,
    PRIMARY KEY (benchmark, round, kind),
    CHECK (kind IN ('items', 'picks'))
);
COMMENT ON TABLE corpus.review_round IS
'One row per round and kind of review; seed draws the letters of picks and stands nowhere else.';

CREATE TABLE corpus.review_task (
    benchmark VARCHAR NOT NULL,
    round INTEGER NOT NULL,
    kind VARCHAR NOT NULL,
    item_id VARCHAR NOT NULL,
    position INTEGER NOT NULL,
    task VARCHAR NOT NULL,
    genre VARCHAR NOT NULL,
    lang VARCHAR NOT NULL,
    marks VARCHAR NOT NULL DEFAULT '',
    instruction VARCHAR NOT NULL,
    grounding VARCHAR NOT NULL,
    reference VARCHAR,
    record_id VARCHAR,
    run_id UUID NOT NULL,
    PRIMARY KEY (benchmark, round, kind, item_id)
);
COMMENT ON TABLE corpus.review_task IS
'An item as reviewers were shown it; reference is NULL in picks, where it is one of the letters.';

CREATE TABLE corpus.review_candidate (
    benchmark VARCHAR NOT NULL,
    round INTEGER NOT NULL,
    item_id VARCHAR NOT NULL,
    letter VARCHAR NOT NULL,
    source VARCHAR NOT NULL,
    text VARCHAR NOT NULL,
    PRIMARY KEY (benchmark, round, item_id, letter),
    CHECK (letter IN ('A', 'B', 'C', 'D'))
);
COMMENT ON TABLE corpus.review_candidate IS
'What hides behind a letter of a pick: source is reference or the id of a system.';

CREATE TABLE corpus.review (
    benchmark VARCHAR NOT NULL,
    round INTEGER NOT NULL,
    kind VARCHAR NOT NULL,
    item_id VARCHAR NOT NULL,
    reviewer VARCHAR NOT NULL,
    revision INTEGER NOT NULL,
    place INTEGER NOT NULL,
    decision VARCHAR NOT NULL,
    reason VARCHAR,
    comment VARCHAR,
    instruction VARCHAR,
    grounding VARCHAR,
    reference VARCHAR,
    genre VARCHAR,
    reviewed_at TIMESTAMP NOT NULL,
    file VARCHAR NOT NULL,
    row INTEGER NOT NULL,
    is_current BOOLEAN NOT NULL DEFAULT true,
    run_id UUID NOT NULL,
    PRIMARY KEY (benchmark, round, kind, item_id, reviewer, revision),
    CHECK (decision IN ('accept', 'revise', 'reject', 'A', 'B', 'C', 'D')),
    CHECK (place BETWEEN 1 AND 3)
);
COMMENT ON TABLE corpus.review IS
'What a reviewer decided; place 3 settles what 1 and 2 split over, text columns hold revisions.';

CREATE TABLE corpus.item_history (
    benchmark VARCHAR NOT NULL,
    item_id VARCHAR NOT NULL,
    version INTEGER NOT NULL,
    instruction VARCHAR NOT NULL,
    grounding VARCHAR NOT NULL,
    reference VARCHAR NOT NULL,
    genre VARCHAR NOT NULL,
    reference_source VARCHAR NOT NULL,
    status VARCHAR NOT NULL,
    reason VARCHAR,
    record_id VARCHAR,
    replaced_at TIMESTAMP NOT NULL,
    run_id UUID NOT NULL,
    PRIMARY KEY (benchmark, item_id, version)
);
COMMENT ON TABLE corpus.item_history IS
'What an item said before a review changed it; version 1 is the item as built or imported.';

CREATE TABLE corpus.marked_text (
    text_hash VARCHAR NOT NULL,
    mark_version VARCHAR NOT NULL,
    n_mark INTEGER NOT NULL,
    run_id UUID NOT NULL,
    PRIMARY KEY (text_hash, mark_version)
);
COMMENT ON TABLE corpus.marked_text IS 'Texts that were searched for personal data and the like.';

CREATE TABLE corpus.mark (
    text_hash VARCHAR NOT NULL,
    mark_version VARCHAR NOT NULL,
    kind VARCHAR NOT NULL,
    start_at INTEGER NOT NULL,
    end_at INTEGER NOT NULL,
    excerpt VARCHAR NOT NULL,
    PRIMARY KEY (text_hash, mark_version, kind, start_at)
);
COMMENT ON TABLE corpus.mark IS
'A span that a person should look at; excerpt hides what is personal, the text alone holds it.';
