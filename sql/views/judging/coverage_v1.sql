-- Grain: benchmark, system, leaf, judge, reference_mode, status
-- Answers: How many of the judgements asked for are there, and what became of the others?
-- Formula: cells of leaf_answer_v1 counted by the status of their current row; n_cell = all cells
--     of the same system, leaf, judge and mode, share = n / n_cell.
-- Missing: a cell without a row counts as what blocks it (no_text, no_reference), else as
--     never_asked.
-- Replaces: none
-- Known issue: none
CREATE OR REPLACE VIEW bench.coverage_v1 AS
WITH cell_status AS (
    SELECT
        answer.benchmark,
        answer.system,
        answer.leaf,
        answer.judge,
        answer.reference_mode,
        answer.status
    FROM bench.leaf_answer_v1 AS answer
    WHERE answer.perturbation IS NULL
),

counted AS (
    SELECT
        cell_status.benchmark,
        cell_status.system,
        cell_status.leaf,
        cell_status.judge,
        cell_status.reference_mode,
        cell_status.status,
        count(*) AS n
    FROM cell_status
    GROUP BY
        cell_status.benchmark,
        cell_status.system,
        cell_status.leaf,
        cell_status.judge,
        cell_status.reference_mode,
        cell_status.status
),

totalled AS (
    SELECT
        counted.benchmark,
        counted.system,
        counted.leaf,
        counted.judge,
        counted.reference_mode,
        counted.status,
        counted.n,
        sum(counted.n) OVER (
            PARTITION BY
                counted.benchmark,
                counted.system,
                counted.leaf,
                counted.judge,
                counted.reference_mode
        ) AS n_cell
    FROM counted
)

SELECT
    totalled.benchmark,
    totalled.system,
    totalled.leaf,
    totalled.judge,
    totalled.reference_mode,
    totalled.status,
    totalled.n,
    CAST(totalled.n_cell AS BIGINT) AS n_cell,
    CAST(totalled.n AS DOUBLE) / CAST(totalled.n_cell AS DOUBLE) AS share
FROM totalled;

COMMENT ON VIEW bench.coverage_v1 IS
'Judgements asked for, counted by what became of them, per system, leaf, judge and mode.';
