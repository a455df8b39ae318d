-- A judgement is stored twice and would be averaged twice: delete all but one of these rows.
SELECT
    leaf_score.benchmark,
    leaf_score.writing_id,
    leaf_score.leaf,
    leaf_score.judge,
    leaf_score.repeat,
    leaf_score.reference_mode,
    leaf_score.presentation,
    leaf_score.prompt_id,
    leaf_score.input_hash,
    leaf_score.parser_version,
    count(*) AS n
FROM judge.leaf_score AS leaf_score
GROUP BY
    leaf_score.benchmark,
    leaf_score.writing_id,
    leaf_score.leaf,
    leaf_score.judge,
    leaf_score.repeat,
    leaf_score.reference_mode,
    leaf_score.presentation,
    leaf_score.prompt_id,
    leaf_score.input_hash,
    leaf_score.parser_version
HAVING count(*) > 1;
