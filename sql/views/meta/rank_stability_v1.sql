-- Grain: benchmark, tree, judge, reference_mode, system_a, system_b, kind
-- Answers: How easily does the order of two systems turn?
-- Formula: share of the trials of leaderboard_trial_v1 in which the sign of score a - score b is
--     the other than on the leaderboard (difference, scope all): kind items = other items drawn,
--     weights = weights drawn anew, leaf = a leaf left out, judge = a judge of the panel left out.
-- Missing: share_flipped is NULL for systems that are level; n_trial counts trials with both
--     scores. Single judges have no kind judge.
-- Replaces: none
-- Known issue: none
-- Snapshot: yes
CREATE OR REPLACE VIEW bench.rank_stability_v1 AS
WITH trial_score AS (
    SELECT
        trial.benchmark,
        trial.tree,
        trial.judge,
        trial.reference_mode,
        trial.system,
        trial.kind,
        trial.trial,
        trial.score
    FROM bench.leaderboard_trial_v1 AS trial
    WHERE trial.score IS NOT NULL
),

-- Rounded, so that equal systems do not differ by their last bit.
trial_pair AS (
    SELECT
        one.benchmark,
        one.tree,
        one.judge,
        one.reference_mode,
        one.system AS system_a,
        other.system AS system_b,
        one.kind,
        round(one.score - other.score, 12) AS difference
    FROM trial_score AS one
    INNER JOIN trial_score AS other
        ON
            other.benchmark = one.benchmark
            AND other.tree = one.tree
            AND other.judge = one.judge
            AND other.reference_mode = one.reference_mode
            AND other.kind = one.kind
            AND other.trial = one.trial
            AND other.system > one.system
),

plain AS (
    SELECT
        trial_pair.benchmark,
        trial_pair.tree,
        trial_pair.judge,
        trial_pair.reference_mode,
        trial_pair.system_a,
        trial_pair.system_b,
        trial_pair.difference
    FROM trial_pair
    WHERE trial_pair.kind = 'none'
)

SELECT
    plain.benchmark,
    plain.tree,
    plain.judge,
    plain.reference_mode,
    plain.system_a,
    plain.system_b,
    trial_pair.kind,
    plain.difference,
    CASE
        WHEN plain.difference <> CAST(0 AS DOUBLE)
            THEN
                CAST(
                    count(
                        CASE WHEN sign(trial_pair.difference) = -sign(plain.difference) THEN 1 END
                    ) AS DOUBLE
                ) / CAST(count(*) AS DOUBLE)
    END AS share_flipped,
    count(*) AS n_trial
FROM plain
INNER JOIN trial_pair
    ON
        trial_pair.benchmark = plain.benchmark
        AND trial_pair.tree = plain.tree
        AND trial_pair.judge = plain.judge
        AND trial_pair.reference_mode = plain.reference_mode
        AND trial_pair.system_a = plain.system_a
        AND trial_pair.system_b = plain.system_b
WHERE trial_pair.kind <> 'none'
GROUP BY
    plain.benchmark,
    plain.tree,
    plain.judge,
    plain.reference_mode,
    plain.system_a,
    plain.system_b,
    trial_pair.kind,
    plain.difference;

COMMENT ON VIEW bench.rank_stability_v1 IS
'How often the order of two systems turns when items, weights, leaves or judges change.';
