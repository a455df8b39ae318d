-- Grain: benchmark, leaf, judge, reference_mode, presentation, repeat
-- Answers: In which ways does the last run of a benchmark ask for a leaf to be judged?
-- Formula: asked judges x reference modes x presentations x repeats; a leaf without reference once
--     per judge and repeat (mode none, presentation single), a rule leaf once (judge rule) (SPEC
--     4).
-- Missing: no row before a run has asked for a judge, a reference mode and a presentation.
-- Replaces: none
-- Known issue: none
CREATE OR REPLACE VIEW bench.asked_judging_v1 AS
SELECT DISTINCT
    mode.benchmark,
    leaf.leaf,
    CASE WHEN leaf.kind = 'rule' THEN 'rule' ELSE judge.name END AS judge,
    CASE WHEN leaf.uses_reference THEN mode.name ELSE 'none' END AS reference_mode,
    CASE
        WHEN leaf.uses_reference AND mode.name <> 'none' THEN presentation.name
        ELSE 'single'
    END AS presentation,
    CASE WHEN leaf.kind = 'rule' THEN 0 ELSE number.n END AS repeat,
    CASE WHEN leaf.kind = 'rule' THEN '{}' ELSE judge.sampling END AS sampling
FROM judge.leaf AS leaf
INNER JOIN run.asked AS mode ON mode.kind = 'reference_mode'
INNER JOIN run.asked AS presentation
    ON presentation.benchmark = mode.benchmark AND presentation.kind = 'presentation'
INNER JOIN run.asked AS judge
    ON judge.benchmark = mode.benchmark AND judge.kind = 'judge'
INNER JOIN run.number AS number ON number.n < judge.repeats;

COMMENT ON VIEW bench.asked_judging_v1 IS
'Judge, reference mode, presentation and repeat in which each leaf is asked for.';
