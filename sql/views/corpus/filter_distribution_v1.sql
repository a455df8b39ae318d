-- Grain: benchmark, source, score
-- Answers: How does the quality filter rate the documents of each source?
-- Formula: documents counted by the asked filter's overall score from 1 to 5, and their share of
--     the source's scored documents; 4 and 5 are kept (HoWToBench 4.2 and Table 13).
-- Missing: documents without a score are not counted here, corpus_funnel names their reasons; a
--     score that no document of a source has is no row.
-- Replaces: none
-- Known issue: none
CREATE OR REPLACE VIEW bench.filter_distribution_v1 AS
SELECT
    label.benchmark,
    label.source,
    label.quality AS score,
    count(*) AS n,
    CAST(count(*) AS DOUBLE)
    / CAST(sum(count(*)) OVER (PARTITION BY label.benchmark, label.source) AS DOUBLE) AS share
FROM bench.document_label_v1 AS label
WHERE label.quality IS NOT NULL
GROUP BY label.benchmark, label.source, label.quality;

COMMENT ON VIEW bench.filter_distribution_v1 IS 'Documents per source and quality score.';
