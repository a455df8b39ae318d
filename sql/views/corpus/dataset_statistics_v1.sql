-- Grain: benchmark, kind, task
-- Answers: How many items has a benchmark, and how long are their texts?
-- Formula: accepted items by kind of genre (creative, functional) and task, and all tasks together
--     (task = all); lengths in characters of the string, means over the items that have the text,
--     so the grounding of a kind is a mean without its open items (HoWToBench Table 2).
-- Missing: a mean is NULL where no item has that text (open items have no grounding); kind is
--     unknown for a genre outside the 12 groups.
-- Replaces: none
-- Known issue: released references are longer than Table 2 prints
CREATE OR REPLACE VIEW bench.dataset_statistics_v1 AS
WITH accepted AS (
    SELECT
        item.benchmark,
        coalesce(genre.kind, 'unknown') AS kind,
        item.task,
        item.instruction,
        nullif(item.grounding, '') AS grounding,
        nullif(item.reference, '') AS reference
    FROM corpus.item AS item
    LEFT JOIN corpus.genre AS genre ON genre.genre = item.genre
    WHERE item.status = 'accepted'
),

counted AS (
    SELECT
        accepted.benchmark,
        accepted.kind,
        accepted.task,
        accepted.instruction,
        accepted.grounding,
        accepted.reference
    FROM accepted
    UNION ALL
    SELECT
        accepted.benchmark,
        accepted.kind,
        'all' AS task,
        accepted.instruction,
        accepted.grounding,
        accepted.reference
    FROM accepted
)

SELECT
    counted.benchmark,
    counted.kind,
    counted.task,
    count(*) AS n,
    avg(CAST(length(counted.instruction) AS DOUBLE)) AS instruction_length,
    avg(CAST(length(counted.grounding) AS DOUBLE)) AS grounding_length,
    avg(CAST(length(counted.reference) AS DOUBLE)) AS reference_length,
    count(counted.grounding) AS n_grounding,
    count(counted.reference) AS n_reference
FROM counted
GROUP BY counted.benchmark, counted.kind, counted.task;

COMMENT ON VIEW bench.dataset_statistics_v1 IS
'Number of items and mean lengths of their texts by kind and task.';
