-- Grain: benchmark, tree, judge, reference_mode, system
-- Answers: How do the systems compare over all items and task by task?
-- Formula: scores of leaderboard_v1 side by side in the layout of HoWToBench Table 4 (its last row
--     and its rows by task); genres stay in leaderboard_v1.
-- Missing: NULL where a system has no scored writing for the task; n_used and n_expected are those
--     over all items.
-- Replaces: none
-- Known issue: none
-- Snapshot: yes
CREATE OR REPLACE VIEW bench.leaderboard_wide_v1 AS
SELECT
    leaderboard.benchmark,
    leaderboard.tree,
    leaderboard.judge,
    leaderboard.reference_mode,
    leaderboard.system,
    leaderboard.is_control,
    max(CASE WHEN leaderboard.scope = 'all' THEN leaderboard.rank END) AS rank,
    max(CASE WHEN leaderboard.scope = 'task:completion' THEN leaderboard.score END) AS completion,
    max(CASE WHEN leaderboard.scope = 'task:guide' THEN leaderboard.score END) AS guide,
    max(CASE WHEN leaderboard.scope = 'task:open' THEN leaderboard.score END) AS open,
    max(CASE WHEN leaderboard.scope = 'all' THEN leaderboard.score END) AS all_items,
    max(CASE WHEN leaderboard.scope = 'all' THEN leaderboard.ci_low END) AS ci_low,
    max(CASE WHEN leaderboard.scope = 'all' THEN leaderboard.ci_high END) AS ci_high,
    max(CASE WHEN leaderboard.scope = 'all' THEN leaderboard.n_used END) AS n_used,
    max(CASE WHEN leaderboard.scope = 'all' THEN leaderboard.n_expected END) AS n_expected
FROM bench.leaderboard_v1 AS leaderboard
WHERE
    leaderboard.scope IN ('all', 'task:completion', 'task:guide', 'task:open')
GROUP BY
    leaderboard.benchmark,
    leaderboard.tree,
    leaderboard.judge,
    leaderboard.reference_mode,
    leaderboard.system,
    leaderboard.is_control;

COMMENT ON VIEW bench.leaderboard_wide_v1 IS 'Leaderboard with the tasks side by side.';
