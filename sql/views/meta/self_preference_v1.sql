-- Grain: benchmark, judge, system, tree, reference_mode
-- Answers: Does a judge that also is a system favour its own writings?
-- Formula: per item, (tree score of its own writing - mean of the other judges' scores of it) -
--     the mean of the same difference over the writings of other systems; then mean, sd, 95 % t
--     interval and two-sided p of Student's t over items. A judge is a system if the names agree
--     after the last / and before an @, whatever the case. A judge and a system of one name are
--     never each other's yardstick.
-- Missing: an item counts when both differences exist; preference is NULL without a second judge
--     and without another system. n = items; sd and interval are NULL below two, p also where all
--     items agree. No control, no perturbed writing, no panel.
-- Replaces: none
-- Known issue: names alone tell that judge and system are one model.
-- Snapshot: yes
CREATE OR REPLACE VIEW bench.self_preference_v1 AS
WITH item_score AS (
    SELECT
        tree_score.benchmark,
        tree_score.item_id,
        tree_score.system,
        tree_score.tree,
        tree_score.judge,
        tree_score.reference_mode,
        lower(split_part(split_part(tree_score.judge, '@', 1), '/', -1)) AS judge_name,
        lower(split_part(tree_score.system, '/', -1)) AS system_name,
        avg(tree_score.score) AS score
    FROM bench.tree_score_v1 AS tree_score
    WHERE
        tree_score.perturbation IS NULL
        AND tree_score.system <> 'reference'
        AND tree_score.judge NOT LIKE 'panel:%'
    GROUP BY
        tree_score.benchmark,
        tree_score.item_id,
        tree_score.system,
        tree_score.tree,
        tree_score.judge,
        tree_score.reference_mode
),

self AS (
    SELECT DISTINCT
        item_score.benchmark,
        item_score.judge,
        item_score.judge_name,
        item_score.system,
        item_score.tree,
        item_score.reference_mode
    FROM item_score
    WHERE item_score.judge_name = item_score.system_name
),

-- How much higher a judge puts a writing than the judges of other names do.
gap AS (
    SELECT
        self.benchmark,
        self.judge,
        self.system AS own_system,
        self.tree,
        self.reference_mode,
        scored.item_id,
        scored.system,
        scored.system = self.system AS is_own,
        scored.score - avg(other.score) AS gap,
        count(other.score) AS n_judge
    FROM self
    INNER JOIN item_score AS scored
        ON
            scored.benchmark = self.benchmark
            AND scored.judge = self.judge
            AND scored.tree = self.tree
            AND scored.reference_mode = self.reference_mode
            AND (scored.system = self.system OR scored.system_name <> self.judge_name)
    INNER JOIN item_score AS other
        ON
            other.benchmark = scored.benchmark
            AND other.item_id = scored.item_id
            AND other.system = scored.system
            AND other.tree = scored.tree
            AND other.reference_mode = scored.reference_mode
            AND other.judge_name <> self.judge_name
            AND other.judge_name <> other.system_name
    WHERE scored.score IS NOT NULL AND other.score IS NOT NULL
    GROUP BY
        self.benchmark,
        self.judge,
        self.system,
        self.tree,
        self.reference_mode,
        scored.item_id,
        scored.system,
        scored.score
),

item_gap AS (
    SELECT
        gap.benchmark,
        gap.judge,
        gap.own_system,
        gap.tree,
        gap.reference_mode,
        gap.item_id,
        avg(CASE WHEN gap.is_own THEN gap.gap END) AS own_gap,
        avg(CASE WHEN NOT gap.is_own THEN gap.gap END) AS other_gap,
        max(gap.n_judge) AS n_judge,
        count(*) - 1 AS n_system
    FROM gap
    GROUP BY
        gap.benchmark,
        gap.judge,
        gap.own_system,
        gap.tree,
        gap.reference_mode,
        gap.item_id
),

-- Rounded, so that equal differences of averaged scores stay equal.
summary AS (
    SELECT
        item_gap.benchmark,
        item_gap.judge,
        item_gap.own_system,
        item_gap.tree,
        item_gap.reference_mode,
        avg(item_gap.own_gap) AS own_gap,
        avg(item_gap.other_gap) AS other_gap,
        avg(round(item_gap.own_gap - item_gap.other_gap, 12)) AS preference,
        stddev_samp(round(item_gap.own_gap - item_gap.other_gap, 12)) AS sd,
        max(item_gap.n_judge) AS n_judge,
        max(item_gap.n_system) AS n_system,
        count(*) AS n
    FROM item_gap
    WHERE item_gap.own_gap IS NOT NULL AND item_gap.other_gap IS NOT NULL
    GROUP BY
        item_gap.benchmark,
        item_gap.judge,
        item_gap.own_system,
        item_gap.tree,
        item_gap.reference_mode
)

SELECT
    self.benchmark,
    self.judge,
    self.system,
    self.tree,
    self.reference_mode,
    summary.preference,
    summary.sd,
    summary.preference
    - t_quantile_975_v1(summary.n - 1) * summary.sd / sqrt(CAST(summary.n AS DOUBLE)) AS ci_low,
    summary.preference
    + t_quantile_975_v1(summary.n - 1) * summary.sd / sqrt(CAST(summary.n AS DOUBLE)) AS ci_high,
    t_two_sided_p_v1(
        summary.preference * sqrt(CAST(summary.n AS DOUBLE))
        / nullif(summary.sd, CAST(0 AS DOUBLE)),
        summary.n - 1
    ) AS p,
    summary.own_gap,
    summary.other_gap,
    coalesce(summary.n_judge, 0) AS n_judge,
    coalesce(summary.n_system, 0) AS n_system,
    coalesce(summary.n, 0) AS n
FROM self
LEFT JOIN summary
    ON
        summary.benchmark = self.benchmark
        AND summary.judge = self.judge
        AND summary.own_system = self.system
        AND summary.tree = self.tree
        AND summary.reference_mode = self.reference_mode;

COMMENT ON VIEW bench.self_preference_v1 IS
'How much more a judge likes its own writings than other judges do, beside other systems.';
COMMENT ON COLUMN bench.self_preference_v1.n_judge IS 'Most other judges of a writing.';
COMMENT ON COLUMN bench.self_preference_v1.n_system IS 'Most other systems of an item.';
