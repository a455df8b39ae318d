-- Grain: benchmark, method, criterion, scope
-- Answers: Does a method agree with people beyond a common taste for long texts?
-- Formula: Pearson of the scores of the method and of people over the writings of the scope
--     (method_pair_v1), of either with the natural logarithm of the text's characters, and the
--     partial correlation that holds this length constant, with two-sided p (n - 3 degrees of
--     freedom).
-- Missing: a writing without text does not count; n does. NULL below three writings and where a
--     side or the length is constant; p also below four writings.
-- Replaces: none
-- Known issue: none
-- Snapshot: yes
CREATE OR REPLACE VIEW bench.length_partial_correlation_v1 AS
WITH point AS (
    SELECT
        pair.benchmark,
        pair.method,
        pair.criterion,
        item_scope.scope,
        pair.method_score,
        pair.human_score,
        ln(CAST(length(writing.judged_text) AS DOUBLE)) AS log_length
    FROM bench.method_pair_v1 AS pair
    INNER JOIN corpus.writing AS writing
        ON
            writing.benchmark = pair.benchmark
            AND writing.writing_id = pair.writing_id
    INNER JOIN corpus.item_scope AS item_scope
        ON item_scope.benchmark = pair.benchmark AND item_scope.item_id = pair.item_id
    WHERE length(writing.judged_text) > 0
),

coefficient AS (
    SELECT
        point.benchmark,
        point.method,
        point.criterion,
        point.scope,
        pearson_r_v1(point.method_score, point.human_score) AS r,
        pearson_r_v1(point.method_score, point.log_length) AS r_method_length,
        pearson_r_v1(point.human_score, point.log_length) AS r_human_length,
        count(*) AS n
    FROM point
    GROUP BY point.benchmark, point.method, point.criterion, point.scope
),

controlled AS (
    SELECT
        coefficient.benchmark,
        coefficient.method,
        coefficient.criterion,
        coefficient.scope,
        coefficient.r,
        coefficient.r_method_length,
        coefficient.r_human_length,
        partial_correlation_v1(
            coefficient.r, coefficient.r_method_length, coefficient.r_human_length
        ) AS partial_r,
        coefficient.n
    FROM coefficient
)

SELECT
    controlled.benchmark,
    controlled.method,
    controlled.criterion,
    controlled.scope,
    controlled.r,
    controlled.partial_r,
    correlation_p_v1(controlled.partial_r, controlled.n - 3) AS p,
    controlled.r_method_length,
    controlled.r_human_length,
    controlled.n
FROM controlled;

COMMENT ON VIEW bench.length_partial_correlation_v1 IS
'Correlation of a method with people over writings, with and without the length of the text.';
