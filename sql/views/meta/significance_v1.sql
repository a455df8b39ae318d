-- Grain: benchmark, tree, judge, reference_mode, scope, system_a, system_b
-- Answers: Is one system better than another, or could other items have turned the order?
-- Formula: difference a - b with interval from the paired bootstrap of system_pair_v1; p =
--     two-sided Student t of difference / stderr with n - 1 degrees of freedom (a share of
--     resamples could not fall below 2 / 1001, which Holm lifts over .05 from 26 pairs on); p_holm
--     = Holm's correction over the pairs of the same tree, judge, mode and scope.
-- Missing: p and interval are NULL below two common items, n counts those. Equal systems have p 1.
-- Replaces: none
-- Known issue: none
-- Snapshot: yes
CREATE OR REPLACE VIEW bench.significance_v1 AS
WITH tested AS (
    SELECT
        pair.benchmark,
        pair.tree,
        pair.judge,
        pair.reference_mode,
        pair.scope,
        pair.system_a,
        pair.system_b,
        pair.difference,
        pair.ci_low,
        pair.ci_high,
        pair.stderr,
        pair.n,
        CASE
            WHEN pair.n < 2 THEN NULL
            WHEN round(pair.difference, 12) = CAST(0 AS DOUBLE) THEN CAST(1 AS DOUBLE)
            WHEN round(pair.stderr, 12) = CAST(0 AS DOUBLE) THEN CAST(0 AS DOUBLE)
            ELSE t_two_sided_p_v1(pair.difference / pair.stderr, pair.n - 1)
        END AS p,
        dense_rank() OVER (
            ORDER BY
                pair.benchmark, pair.tree, pair.judge, pair.reference_mode, pair.scope
        ) AS family_key
    FROM bench.system_pair_v1 AS pair
),

stepped AS (
    SELECT
        tested.benchmark,
        tested.tree,
        tested.judge,
        tested.reference_mode,
        tested.scope,
        tested.system_a,
        tested.system_b,
        tested.difference,
        tested.ci_low,
        tested.ci_high,
        tested.stderr,
        tested.p,
        tested.n,
        tested.family_key,
        holm_step_v1(tested.p, tested.family_key) AS step
    FROM tested
)

SELECT
    stepped.benchmark,
    stepped.tree,
    stepped.judge,
    stepped.reference_mode,
    stepped.scope,
    stepped.system_a,
    stepped.system_b,
    stepped.difference,
    stepped.ci_low,
    stepped.ci_high,
    stepped.stderr,
    stepped.p,
    holm_adjusted_v1(stepped.step, stepped.p, stepped.family_key) AS p_holm,
    stepped.n
FROM stepped;

COMMENT ON VIEW bench.significance_v1 IS
'Difference of every two systems with interval and corrected p.';
COMMENT ON COLUMN bench.significance_v1.n IS 'Items for which both systems have a score.';
