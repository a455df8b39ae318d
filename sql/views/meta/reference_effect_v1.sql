-- Grain: benchmark, method, reference_mode, criterion, scope, coefficient
-- Answers: Does a method agree better with people when the judge sees a reference?
-- Formula: system_coefficient_v1 with the reference mode taken out of the method's name, so that
--     the modes of a method stand side by side (HoWToBench Tables 11 and 12).
-- Missing: as system_coefficient_v1; n_mode = 1 says that there is nothing to compare with.
-- Replaces: none
-- Known issue: none
-- Snapshot: yes
CREATE OR REPLACE VIEW bench.reference_effect_v1 AS
WITH split_method AS (
    SELECT
        coefficient.benchmark,
        CASE
            WHEN coefficient.method LIKE 'metric|%'
                THEN concat('metric|', split_part(coefficient.method, '|', 2))
            ELSE
                concat(
                    'tree|', split_part(coefficient.method, '|', 2), '|',
                    split_part(coefficient.method, '|', 3), '|',
                    split_part(coefficient.method, '|', 4),
                    CASE
                        WHEN split_part(coefficient.method, '|', 6) <> ''
                            THEN concat('|', split_part(coefficient.method, '|', 6))
                        ELSE ''
                    END
                )
        END AS method,
        CASE
            WHEN coefficient.method LIKE 'metric|%' THEN split_part(coefficient.method, '|', 3)
            ELSE split_part(coefficient.method, '|', 5)
        END AS reference_mode,
        coefficient.criterion,
        coefficient.scope,
        coefficient.coefficient,
        coefficient.value,
        coefficient.p,
        coefficient.n
    FROM bench.system_coefficient_v1 AS coefficient
)

SELECT
    split_method.benchmark,
    split_method.method,
    split_method.reference_mode,
    split_method.criterion,
    split_method.scope,
    split_method.coefficient,
    split_method.value,
    split_method.p,
    split_method.n,
    count(*) OVER (
        PARTITION BY
            split_method.benchmark,
            split_method.method,
            split_method.criterion,
            split_method.scope,
            split_method.coefficient
    ) AS n_mode
FROM split_method;

COMMENT ON VIEW bench.reference_effect_v1 IS
'System correlations of every method, its reference modes side by side.';
