-- Grain: benchmark, judge, reference_mode, run
-- Answers: Which number stands in for a judge, a reference mode and a run of its repeats?
-- Formula: judging_key = place of judge and mode among those asked for. Runs: all repeats (run_key
--     0), one repeat alone (repeat:k, run_key k + 1), the first n together (sc:n, self-consistency,
--     run_key 1000 + n); a run holds the repeats from first_repeat to last_repeat.
-- Missing: a judge that is asked once has only the run of all.
-- Replaces: none
-- Known issue: numbers hold within one query only: another judge moves those after it.
CREATE OR REPLACE VIEW bench.judging_number_v1 AS
WITH judging AS (
    SELECT
        judge.benchmark,
        judge.name AS judge,
        mode.name AS reference_mode,
        judge.repeats,
        CAST(
            row_number() OVER (ORDER BY judge.benchmark, judge.name, mode.name) AS INTEGER
        ) AS judging_key
    FROM run.asked AS judge
    INNER JOIN run.asked AS mode
        ON mode.benchmark = judge.benchmark AND mode.kind = 'reference_mode'
    WHERE judge.kind = 'judge'
)

SELECT
    judging.benchmark,
    judging.judge,
    judging.reference_mode,
    'all' AS run,
    judging.judging_key,
    CAST(0 AS INTEGER) AS run_key,
    CAST(0 AS INTEGER) AS first_repeat,
    judging.repeats - 1 AS last_repeat
FROM judging
UNION ALL
SELECT
    judging.benchmark,
    judging.judge,
    judging.reference_mode,
    concat('repeat:', CAST(number.n AS VARCHAR)) AS run,
    judging.judging_key,
    number.n + 1 AS run_key,
    number.n AS first_repeat,
    number.n AS last_repeat
FROM judging
INNER JOIN run.number AS number ON number.n < judging.repeats
WHERE judging.repeats > 1
UNION ALL
SELECT
    judging.benchmark,
    judging.judge,
    judging.reference_mode,
    concat('sc:', CAST(number.n AS VARCHAR)) AS run,
    judging.judging_key,
    number.n + 1000 AS run_key,
    CAST(0 AS INTEGER) AS first_repeat,
    number.n - 1 AS last_repeat
FROM judging
INNER JOIN run.number AS number ON number.n BETWEEN 2 AND judging.repeats;

COMMENT ON VIEW bench.judging_number_v1 IS
'Numbers of the asked judges and reference modes, and the runs of their repeats.';
