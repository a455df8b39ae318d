-- Grain: benchmark, system, scope, length_bin, reason
-- Answers: Which share of the leaf judgements of a system is missing, why, and does that depend on
--     the system or on the length of its texts?
-- Formula: cells of leaf_answer_v1 without a score by their status; reason any = all of them. share
--     = n_missing / n_cell. Tests on the share of every writing, one-way analysis of variance with
--     p of Fisher's F: p_system between the systems of the same scope and bin, p_length between the
--     bins of the system in the scope. length_bin in characters of the text, all = every length.
-- Missing: a reason that occurs in the benchmark has a row for every system, 0 where it has none.
--     p is NULL with fewer than two groups, without a degree of freedom left and where the share
--     is the same for all writings; n_writing counts these. No control, no perturbed writing.
-- Replaces: none
-- Known issue: shares are bounded, so that p of rare reasons is approximate.
-- Snapshot: yes
CREATE OR REPLACE VIEW bench.missingness_v1 AS
WITH counted AS (
    SELECT
        answer.benchmark,
        answer.writing_id,
        answer.status,
        answer.score IS NULL AS is_missing,
        count(*) AS n
    FROM bench.leaf_answer_v1 AS answer
    WHERE answer.perturbation IS NULL AND answer.system <> 'reference'
    GROUP BY
        answer.benchmark,
        answer.writing_id,
        answer.status,
        answer.score IS NULL
),

missing AS (
    SELECT
        counted.benchmark,
        counted.writing_id,
        counted.status AS reason,
        counted.n
    FROM counted
    WHERE counted.is_missing
    UNION ALL
    SELECT
        counted.benchmark,
        counted.writing_id,
        'any' AS reason,
        CAST(sum(CASE WHEN counted.is_missing THEN counted.n ELSE 0 END) AS BIGINT) AS n
    FROM counted
    GROUP BY counted.benchmark, counted.writing_id
),

reason AS (
    SELECT DISTINCT
        missing.benchmark,
        missing.reason
    FROM missing
),

writing_cell AS (
    SELECT
        counted.benchmark,
        counted.writing_id,
        CAST(sum(counted.n) AS DOUBLE) AS n_cell
    FROM counted
    GROUP BY counted.benchmark, counted.writing_id
),

writing_size AS (
    SELECT
        writing_cell.benchmark,
        writing_cell.writing_id,
        writing.item_id,
        writing.system,
        CASE
            WHEN length(writing.text) = 0 THEN '0'
            WHEN length(writing.text) < 500 THEN '1-499'
            WHEN length(writing.text) < 1000 THEN '500-999'
            WHEN length(writing.text) < 2000 THEN '1000-1999'
            WHEN length(writing.text) < 4000 THEN '2000-3999'
            ELSE '4000+'
        END AS length_bin,
        writing_cell.n_cell
    FROM writing_cell
    INNER JOIN corpus.writing AS writing
        ON
            writing.benchmark = writing_cell.benchmark
            AND writing.writing_id = writing_cell.writing_id
),

writing_share AS (
    SELECT
        writing_size.benchmark,
        writing_size.item_id,
        writing_size.system,
        writing_size.length_bin,
        reason.reason,
        writing_size.n_cell,
        coalesce(missing.n, 0) AS n_missing,
        CAST(coalesce(missing.n, 0) AS DOUBLE) / writing_size.n_cell AS share
    FROM writing_size
    INNER JOIN reason ON reason.benchmark = writing_size.benchmark
    LEFT JOIN missing
        ON
            missing.benchmark = writing_size.benchmark
            AND missing.writing_id = writing_size.writing_id
            AND missing.reason = reason.reason
),

summary AS (
    SELECT
        writing_share.benchmark,
        writing_share.system,
        item_scope.scope,
        CASE WHEN bin.is_all THEN 'all' ELSE writing_share.length_bin END AS length_bin,
        writing_share.reason,
        bin.is_all,
        CAST(count(*) AS DOUBLE) AS n,
        CAST(sum(writing_share.n_cell) AS BIGINT) AS n_cell,
        CAST(sum(writing_share.n_missing) AS BIGINT) AS n_missing,
        avg(writing_share.share) AS mean,
        var_pop(writing_share.share) * CAST(count(*) AS DOUBLE) AS square_sum
    FROM writing_share
    INNER JOIN corpus.item_scope AS item_scope
        ON
            item_scope.benchmark = writing_share.benchmark
            AND item_scope.item_id = writing_share.item_id
    CROSS JOIN (VALUES (TRUE), (FALSE)) AS bin (is_all)
    GROUP BY
        writing_share.benchmark,
        writing_share.system,
        item_scope.scope,
        CASE WHEN bin.is_all THEN 'all' ELSE writing_share.length_bin END,
        writing_share.reason,
        bin.is_all
),

-- Two families of groups to compare: systems within a bin, bins within a system.
family AS (
    SELECT
        summary.benchmark,
        'system' AS kind,
        summary.length_bin AS member_of,
        summary.scope,
        summary.reason,
        summary.n,
        summary.mean,
        summary.square_sum
    FROM summary
    UNION ALL
    SELECT
        summary.benchmark,
        'length' AS kind,
        summary.system AS member_of,
        summary.scope,
        summary.reason,
        summary.n,
        summary.mean,
        summary.square_sum
    FROM summary
    WHERE NOT summary.is_all
),

-- Rounded, so that equal shares leave exactly nothing between and within groups.
variance AS (
    SELECT
        family.benchmark,
        family.kind,
        family.member_of,
        family.scope,
        family.reason,
        CAST(count(*) - 1 AS DOUBLE) AS df_between,
        sum(family.n) - CAST(count(*) AS DOUBLE) AS df_within,
        round(
            sum(family.n * family.mean * family.mean)
            - sum(family.n * family.mean) * sum(family.n * family.mean) / sum(family.n),
            12
        ) AS between_groups,
        round(sum(family.square_sum), 12) AS within_groups
    FROM family
    GROUP BY family.benchmark, family.kind, family.member_of, family.scope, family.reason
),

tested AS (
    SELECT
        variance.benchmark,
        variance.kind,
        variance.member_of,
        variance.scope,
        variance.reason,
        CASE
            WHEN variance.df_between < 1 OR variance.df_within < 1 THEN NULL
            WHEN variance.within_groups > 0
                THEN
                    f_upper_p_v1(
                        (variance.between_groups / variance.df_between)
                        / (variance.within_groups / variance.df_within),
                        variance.df_between,
                        variance.df_within
                    )
            WHEN variance.between_groups > 0 THEN CAST(0 AS DOUBLE)
        END AS p
    FROM variance
)

SELECT
    summary.benchmark,
    summary.system,
    summary.scope,
    summary.length_bin,
    summary.reason,
    CAST(summary.n_missing AS DOUBLE) / CAST(summary.n_cell AS DOUBLE) AS share,
    summary.n_missing,
    summary.n_cell,
    CAST(summary.n AS BIGINT) AS n_writing,
    by_system.p AS p_system,
    by_length.p AS p_length
FROM summary
INNER JOIN tested AS by_system
    ON
        by_system.benchmark = summary.benchmark
        AND by_system.kind = 'system'
        AND by_system.member_of = summary.length_bin
        AND by_system.scope = summary.scope
        AND by_system.reason = summary.reason
INNER JOIN tested AS by_length
    ON
        by_length.benchmark = summary.benchmark
        AND by_length.kind = 'length'
        AND by_length.member_of = summary.system
        AND by_length.scope = summary.scope
        AND by_length.reason = summary.reason;

COMMENT ON VIEW bench.missingness_v1 IS
'Missing leaf judgements by reason, and whether they depend on system or text length.';
