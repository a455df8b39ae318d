-- Everything a model, a rule or a person said of a writing, and the trees that weigh it.
CREATE SCHEMA IF NOT EXISTS judge;

CREATE TABLE judge.prompt (
    prompt_id VARCHAR NOT NULL,
    task VARCHAR NOT NULL,
    lang VARCHAR NOT NULL,
    version INTEGER NOT NULL,
    has_reference BOOLEAN NOT NULL,
    reply VARCHAR NOT NULL,
    low DOUBLE,
    high DOUBLE,
    anchor DOUBLE,
    dimensions VARCHAR NOT NULL,
    body VARCHAR NOT NULL,
    prompt_hash VARCHAR NOT NULL,
    is_current BOOLEAN NOT NULL,
    PRIMARY KEY (prompt_id)
);
COMMENT ON TABLE judge.prompt IS
'Prompts of the package; is_current = highest version, dimensions = names its reply must give.';

CREATE TABLE judge.dimension (
    dimension VARCHAR NOT NULL,
    lang VARCHAR NOT NULL,
    description VARCHAR NOT NULL,
    PRIMARY KEY (dimension, lang)
);
COMMENT ON TABLE judge.dimension IS 'What the negotiator is told about each leaf.';

CREATE TABLE judge.parser (
    parser_version VARCHAR NOT NULL,
    is_current BOOLEAN NOT NULL,
    PRIMARY KEY (parser_version)
);
COMMENT ON TABLE judge.parser IS
'Versions of the reply reader; views read rows of the current one.';

CREATE TABLE judge.leaf (
    leaf VARCHAR NOT NULL,
    kind VARCHAR NOT NULL,
    rule VARCHAR,
    uses_reference BOOLEAN NOT NULL,
    low DOUBLE NOT NULL,
    high DOUBLE NOT NULL,
    anchor DOUBLE,
    PRIMARY KEY (leaf),
    CHECK (kind IN ('model', 'rule'))
);
COMMENT ON TABLE judge.leaf IS
'What a leaf''s raw score may be; rule names the version of a rule leaf.';

CREATE TABLE judge.tree_node (
    tree VARCHAR NOT NULL,
    version INTEGER NOT NULL,
    node VARCHAR NOT NULL,
    parent VARCHAR,
    position INTEGER NOT NULL,
    leaf VARCHAR,
    weight_rule VARCHAR NOT NULL,
    weight DOUBLE,
    map VARCHAR NOT NULL,
    map_args DOUBLE[] NOT NULL,
    tasks VARCHAR[],
    PRIMARY KEY (tree, node),
    CHECK (weight_rule IN ('fixed', 'negotiated', 'leaf_count', 'inserted')),
    CHECK (map IN ('identity', 'steps', 'affine', 'clamp_affine'))
);
COMMENT ON TABLE judge.tree_node IS
'Nodes of every tree; weight_rule = how the weight under the parent is found, tasks NULL = all.';

CREATE TABLE judge.edge_weight (
    benchmark VARCHAR NOT NULL,
    item_id VARCHAR NOT NULL,
    tree VARCHAR NOT NULL,
    node VARCHAR NOT NULL,
    negotiator VARCHAR NOT NULL,
    repeat INTEGER NOT NULL,
    prompt_id VARCHAR NOT NULL,
    input_hash VARCHAR NOT NULL,
    parser_version VARCHAR NOT NULL,
    weight DOUBLE,
    status corpus.row_status NOT NULL,
    reason VARCHAR,
    call_key VARCHAR,
    run_id UUID NOT NULL,
    CHECK (weight IS NULL OR weight BETWEEN -1 AND 1)
);
COMMENT ON TABLE judge.edge_weight IS
'Negotiated weight of a node for one item, or why there is none.';

CREATE TABLE judge.leaf_score (
    benchmark VARCHAR NOT NULL,
    writing_id VARCHAR NOT NULL,
    leaf VARCHAR NOT NULL,
    judge VARCHAR NOT NULL,
    repeat INTEGER NOT NULL,
    reference_mode VARCHAR NOT NULL,
    presentation VARCHAR NOT NULL,
    prompt_id VARCHAR NOT NULL,
    input_hash VARCHAR NOT NULL,
    parser_version VARCHAR NOT NULL,
    score DOUBLE,
    status corpus.row_status NOT NULL,
    reason VARCHAR,
    rationale VARCHAR,
    call_key VARCHAR,
    run_id UUID NOT NULL,
    CHECK (score IS NULL OR isfinite(score)),
    CHECK ((status IN ('ok', 'repaired')) = (score IS NOT NULL))
);
COMMENT ON TABLE judge.leaf_score IS
'What a judge said of a leaf, once, whatever trees use it; raw scale of the leaf.';

CREATE TABLE judge.panel (
    panel VARCHAR NOT NULL,
    judge VARCHAR NOT NULL,
    PRIMARY KEY (panel, judge)
);
COMMENT ON TABLE judge.panel IS 'Named sets of judges whose per-judge tree scores are averaged.';

CREATE TABLE judge.human_rating (
    benchmark VARCHAR NOT NULL,
    writing_id VARCHAR NOT NULL,
    annotator VARCHAR NOT NULL,
    criterion VARCHAR NOT NULL,
    score DOUBLE,
    error_type VARCHAR,
    run_id UUID NOT NULL,
    PRIMARY KEY (benchmark, writing_id, annotator, criterion),
    CHECK (score IS NULL OR isfinite(score))
);
COMMENT ON TABLE judge.human_rating IS 'Scores by people, 1-5 for HoWToBench.';

CREATE TABLE judge.metric_score (
    benchmark VARCHAR NOT NULL,
    writing_id VARCHAR NOT NULL,
    metric VARCHAR NOT NULL,
    reference_mode VARCHAR NOT NULL,
    score DOUBLE,
    run_id UUID NOT NULL,
    PRIMARY KEY (benchmark, writing_id, metric, reference_mode),
    CHECK (score IS NULL OR isfinite(score))
);
COMMENT ON TABLE judge.metric_score IS
'Values of automatic and imported metrics, 0-1 where bounded.';

CREATE TABLE judge.sub_score (
    benchmark VARCHAR NOT NULL,
    writing_id VARCHAR NOT NULL,
    tree VARCHAR NOT NULL,
    judge VARCHAR NOT NULL,
    repeat INTEGER NOT NULL,
    reference_mode VARCHAR NOT NULL,
    dimension VARCHAR NOT NULL,
    share DOUBLE,
    score DOUBLE,
    status corpus.row_status NOT NULL,
    call_key VARCHAR,
    run_id UUID NOT NULL,
    CHECK (score IS NULL OR isfinite(score))
);
COMMENT ON TABLE judge.sub_score IS
'Dimensions that one reply named with their shares (auto-plan, rubric).';

CREATE TABLE judge.call (
    call_key VARCHAR NOT NULL,
    benchmark VARCHAR NOT NULL,
    stage VARCHAR NOT NULL,
    model VARCHAR NOT NULL,
    prompt_id VARCHAR NOT NULL,
    repeat INTEGER NOT NULL,
    status VARCHAR NOT NULL,
    n_attempt INTEGER NOT NULL,
    prompt_tokens BIGINT,
    completion_tokens BIGINT,
    cost DOUBLE,
    n_usage_unknown INTEGER NOT NULL,
    latency_ms DOUBLE,
    served_model VARCHAR,
    first_sent_at TIMESTAMP,
    PRIMARY KEY (call_key)
);
COMMENT ON TABLE judge.call IS
'One row per call key, all its attempts summed; benchmark is that of the row that first paid.';

CREATE TABLE judge.reply (
    call_key VARCHAR NOT NULL,
    parser_version VARCHAR NOT NULL,
    value VARCHAR,
    status VARCHAR NOT NULL,
    reason VARCHAR,
    rationale VARCHAR,
    text VARCHAR,
    PRIMARY KEY (call_key, parser_version)
);
COMMENT ON TABLE judge.reply IS
'The reply text of a call and what a parser version read in it (value is JSON).';
