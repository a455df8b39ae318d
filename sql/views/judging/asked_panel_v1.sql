-- Grain: benchmark, panel, judge
-- Answers: Which panels can a benchmark show, and who sits on them?
-- Formula: panels all of whose judges the last run of the benchmark asked for.
-- Missing: a panel with a judge that was not asked has no row.
-- Replaces: none
-- Known issue: none
CREATE OR REPLACE VIEW bench.asked_panel_v1 AS
WITH seat AS (
    SELECT
        asked.benchmark,
        panel.panel,
        panel.judge
    FROM judge.panel AS panel
    INNER JOIN run.asked AS asked ON asked.kind = 'judge' AND asked.name = panel.judge
),

panel_size AS (
    SELECT
        panel.panel,
        count(*) AS n_judge
    FROM judge.panel AS panel
    GROUP BY panel.panel
),

full_panel AS (
    SELECT
        seat.benchmark,
        seat.panel,
        panel_size.n_judge
    FROM seat
    INNER JOIN panel_size ON panel_size.panel = seat.panel
    GROUP BY seat.benchmark, seat.panel, panel_size.n_judge
    HAVING count(*) = panel_size.n_judge
)

SELECT
    seat.benchmark,
    seat.panel,
    seat.judge,
    full_panel.n_judge
FROM seat
INNER JOIN full_panel
    ON full_panel.benchmark = seat.benchmark AND full_panel.panel = seat.panel;

COMMENT ON VIEW bench.asked_panel_v1 IS 'Judges of every panel that was asked for in full.';
