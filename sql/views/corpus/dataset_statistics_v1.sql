-- Grain: benchmark, kind, task
-- Answers: How many items has a benchmark, and how long are their texts?
-- Formula: accepted items by kind of genre (creative, functional) and task; lengths in characters
--     of the string, means over the items that have the text (HoWToBench Table 2).
-- Missing: a mean is NULL where no item has that text (open items have no grounding); kind is
--     unknown for a genre outside the 12 groups.
-- Replaces: none
-- Known issue: none
CREATE OR REPLACE VIEW bench.dataset_statistics_v1 AS
SELECT
    item.benchmark,
    coalesce(genre.kind, 'unknown') AS kind,
    item.task,
    count(*) AS n,
    avg(CAST(length(item.instruction) AS DOUBLE)) AS instruction_length,
    avg(CAST(length(nullif(item.grounding, '')) AS DOUBLE)) AS grounding_length,
    avg(CAST(length(nullif(item.reference, '')) AS DOUBLE)) AS reference_length,
    count(nullif(item.grounding, '')) AS n_grounding,
    count(nullif(item.reference, '')) AS n_reference
FROM corpus.item AS item
LEFT JOIN corpus.genre AS genre ON genre.genre = item.genre
WHERE item.status = 'accepted'
GROUP BY item.benchmark, coalesce(genre.kind, 'unknown'), item.task;

COMMENT ON VIEW bench.dataset_statistics_v1 IS
'Number of items and mean lengths of their texts by kind and task.';
