-- Shares that a judge gave its own dimensions do not sum to 1, or only some are there: see
-- judge.reply of the call, and read stored replies again with towbench reparse.
SELECT
    sub_score.benchmark,
    sub_score.writing_id,
    sub_score.tree,
    sub_score.judge,
    sub_score.repeat,
    sub_score.reference_mode,
    sub_score.presentation,
    sub_score.call_key,
    count(*) AS n_dimension,
    count(sub_score.share) AS n_share,
    sum(sub_score.share) AS share_sum
FROM judge.sub_score AS sub_score
GROUP BY
    sub_score.benchmark,
    sub_score.writing_id,
    sub_score.tree,
    sub_score.judge,
    sub_score.repeat,
    sub_score.reference_mode,
    sub_score.presentation,
    sub_score.call_key
HAVING
    count(sub_score.share) > 0
    AND (
        count(sub_score.share) < count(*)
        OR abs(sum(sub_score.share) - CAST(1 AS DOUBLE)) > CAST(1e-9 AS DOUBLE)
    );
