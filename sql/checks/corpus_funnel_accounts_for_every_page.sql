-- Pages vanish between two stages: report it, bench.corpus_funnel counts them twice or not at all.
WITH fetched AS (
    SELECT
        page.benchmark,
        page.source,
        count(*) AS n_page
    FROM raw.page AS page
    GROUP BY page.benchmark, page.source
),

stage_sum AS (
    SELECT
        funnel.benchmark,
        funnel.source,
        funnel.position,
        sum(funnel.n) AS n_in,
        sum(CASE WHEN funnel.reason = 'ok' THEN funnel.n ELSE 0 END) AS n_out
    FROM bench.corpus_funnel_v1 AS funnel
    GROUP BY funnel.benchmark, funnel.source, funnel.position
),

expected AS (
    SELECT
        fetched.benchmark,
        fetched.source,
        1 AS position,
        fetched.n_page AS n_expected
    FROM fetched
    UNION ALL
    SELECT
        stage_sum.benchmark,
        stage_sum.source,
        stage_sum.position + 1 AS position,
        stage_sum.n_out AS n_expected
    FROM stage_sum
    WHERE stage_sum.position < 7
)

SELECT
    expected.benchmark,
    expected.source,
    expected.position,
    expected.n_expected,
    stage_sum.n_in
FROM expected
LEFT JOIN stage_sum
    ON
        stage_sum.benchmark = expected.benchmark
        AND stage_sum.source = expected.source
        AND stage_sum.position = expected.position
WHERE coalesce(stage_sum.n_in, 0) <> expected.n_expected;
