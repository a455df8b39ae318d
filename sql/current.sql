-- Which version each bare name reads: moving one line is the whole decision (DESIGN 5).
CREATE OR REPLACE VIEW bench.corpus_funnel AS SELECT * FROM bench.corpus_funnel_v1;
CREATE OR REPLACE VIEW bench.cost AS SELECT * FROM bench.cost_v1;
CREATE OR REPLACE VIEW bench.coverage AS SELECT * FROM bench.coverage_v1;
CREATE OR REPLACE VIEW bench.dataset_statistics AS SELECT * FROM bench.dataset_statistics_v1;
CREATE OR REPLACE VIEW bench.edge_weight AS SELECT * FROM bench.edge_weight_v1;
CREATE OR REPLACE VIEW bench.filter_distribution AS SELECT * FROM bench.filter_distribution_v1;
CREATE OR REPLACE VIEW bench.judgement AS SELECT * FROM bench.judgement_v1;
CREATE OR REPLACE VIEW bench.leaderboard AS SELECT * FROM bench.leaderboard_v1;
CREATE OR REPLACE VIEW bench.leaderboard_wide AS SELECT * FROM bench.leaderboard_wide_v1;
CREATE OR REPLACE VIEW bench.leaf_value AS SELECT * FROM bench.leaf_value_v1;
CREATE OR REPLACE VIEW bench.lineage AS SELECT * FROM bench.lineage_v1;
CREATE OR REPLACE VIEW bench.node_score AS SELECT * FROM bench.node_score_v1;
CREATE OR REPLACE VIEW bench.score_bounds AS SELECT * FROM bench.score_bounds_v1;
CREATE OR REPLACE VIEW bench.status AS SELECT * FROM bench.status_v1;
CREATE OR REPLACE VIEW bench.tree_score AS SELECT * FROM bench.tree_score_v1;

-- Which version of a tree a bare name in TOWBENCH_TREES means.
CREATE OR REPLACE VIEW judge.current_tree AS
SELECT
    tree.name,
    tree.tree
FROM (
    VALUES
    ('average', 'average_v1'),
    ('tow', 'tow_v1'),
    ('tow_five', 'tow_five_v1'),
    ('tow_released', 'tow_released_v1')
) AS tree (name, tree);
