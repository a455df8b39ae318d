-- Which version each bare name reads: moving one line is the whole decision (DESIGN 5).
CREATE OR REPLACE VIEW bench.anchor_normalised AS SELECT * FROM bench.anchor_normalised_v1;
CREATE OR REPLACE VIEW bench.annotator_agreement AS SELECT * FROM bench.annotator_agreement_v1;
CREATE OR REPLACE VIEW bench.corpus_funnel AS SELECT * FROM bench.corpus_funnel_v1;
CREATE OR REPLACE VIEW bench.cost AS SELECT * FROM bench.cost_v1;
CREATE OR REPLACE VIEW bench.coverage AS SELECT * FROM bench.coverage_v1;
CREATE OR REPLACE VIEW bench.dataset_statistics AS SELECT * FROM bench.dataset_statistics_v1;
CREATE OR REPLACE VIEW bench.edge_weight AS SELECT * FROM bench.edge_weight_v1;
CREATE OR REPLACE VIEW bench.evaluator_agreement AS SELECT * FROM bench.evaluator_agreement_v1;
CREATE OR REPLACE VIEW bench.filter_distribution AS SELECT * FROM bench.filter_distribution_v1;
CREATE OR REPLACE VIEW bench.human_score AS SELECT * FROM bench.human_score_v1;
CREATE OR REPLACE VIEW bench.injection_deflection AS SELECT * FROM bench.injection_deflection_v1;
CREATE OR REPLACE VIEW bench.judge_drift AS SELECT * FROM bench.judge_drift_v1;
CREATE OR REPLACE VIEW bench.judge_noise AS SELECT * FROM bench.judge_noise_v1;
CREATE OR REPLACE VIEW bench.judgement AS SELECT * FROM bench.judgement_v1;
CREATE OR REPLACE VIEW bench.leaderboard AS SELECT * FROM bench.leaderboard_v1;
CREATE OR REPLACE VIEW bench.leaderboard_length_controlled
AS SELECT * FROM bench.leaderboard_length_controlled_v1;
CREATE OR REPLACE VIEW bench.leaderboard_wide AS SELECT * FROM bench.leaderboard_wide_v1;
CREATE OR REPLACE VIEW bench.leaf_value AS SELECT * FROM bench.leaf_value_v1;
CREATE OR REPLACE VIEW bench.length_correlation AS SELECT * FROM bench.length_correlation_v1;
CREATE OR REPLACE VIEW bench.length_partial_correlation
AS SELECT * FROM bench.length_partial_correlation_v1;
CREATE OR REPLACE VIEW bench.length_regression AS SELECT * FROM bench.length_regression_v1;
CREATE OR REPLACE VIEW bench.lineage AS SELECT * FROM bench.lineage_v1;
CREATE OR REPLACE VIEW bench.mark AS SELECT * FROM bench.mark_v1;
CREATE OR REPLACE VIEW bench.method_comparison AS SELECT * FROM bench.method_comparison_v1;
CREATE OR REPLACE VIEW bench.method_cost AS SELECT * FROM bench.method_cost_v1;
CREATE OR REPLACE VIEW bench.method_score AS SELECT * FROM bench.method_score_v1;
CREATE OR REPLACE VIEW bench.missingness AS SELECT * FROM bench.missingness_v1;
CREATE OR REPLACE VIEW bench.negotiation_inconsistency
AS SELECT * FROM bench.negotiation_inconsistency_v1;
CREATE OR REPLACE VIEW bench.node_ablation AS SELECT * FROM bench.node_ablation_v1;
CREATE OR REPLACE VIEW bench.node_score AS SELECT * FROM bench.node_score_v1;
CREATE OR REPLACE VIEW bench.rank_stability AS SELECT * FROM bench.rank_stability_v1;
CREATE OR REPLACE VIEW bench.reference_effect AS SELECT * FROM bench.reference_effect_v1;
CREATE OR REPLACE VIEW bench.review_agreement AS SELECT * FROM bench.review_agreement_v1;
CREATE OR REPLACE VIEW bench.review_outcome AS SELECT * FROM bench.review_outcome_v1;
CREATE OR REPLACE VIEW bench.robustness AS SELECT * FROM bench.robustness_v1;
CREATE OR REPLACE VIEW bench.sample_correlation AS SELECT * FROM bench.sample_correlation_v1;
CREATE OR REPLACE VIEW bench.score_bounds AS SELECT * FROM bench.score_bounds_v1;
CREATE OR REPLACE VIEW bench.self_preference AS SELECT * FROM bench.self_preference_v1;
CREATE OR REPLACE VIEW bench.significance AS SELECT * FROM bench.significance_v1;
CREATE OR REPLACE VIEW bench.status AS SELECT * FROM bench.status_v1;
CREATE OR REPLACE VIEW bench.system_correlation AS SELECT * FROM bench.system_correlation_v1;
CREATE OR REPLACE VIEW bench.tree_score AS SELECT * FROM bench.tree_score_v1;
CREATE OR REPLACE VIEW bench.weight_distribution AS SELECT * FROM bench.weight_distribution_v1;

-- Which version of a tree a bare name in TOWBENCH_TREES means.
CREATE OR REPLACE VIEW judge.current_tree AS
SELECT
    tree.name,
    tree.tree
FROM (
    VALUES
    ('auto_plan', 'auto_plan_v1'),
    ('average', 'average_v1'),
    ('elaborated', 'elaborated_v1'),
    ('single', 'single_v1'),
    ('tow', 'tow_v1'),
    ('tow_five', 'tow_five_v1'),
    ('tow_released', 'tow_released_v1')
) AS tree (name, tree);
