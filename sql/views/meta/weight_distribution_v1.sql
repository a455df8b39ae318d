-- Grain: benchmark, tree, genre, node
-- Answers: Which weights does the negotiator give a node, genre by genre?
-- Formula: minimum, quartiles (linear between neighbours), maximum and mean of the current
--     negotiated weights over items and negotiator repeats; genre all = every item (HoWToBench
--     Figures 3 and 6).
-- Missing: answers without a weight do not count; n counts those that do.
-- Replaces: none
-- Known issue: none
CREATE OR REPLACE VIEW bench.weight_distribution_v1 AS
WITH answer AS (
    SELECT
        weight_answer.benchmark,
        weight_answer.tree,
        item.genre,
        weight_answer.node,
        weight_answer.weight
    FROM bench.edge_answer_v1 AS weight_answer
    INNER JOIN corpus.item AS item
        ON item.benchmark = weight_answer.benchmark AND item.item_id = weight_answer.item_id
    WHERE weight_answer.weight IS NOT NULL
),

by_genre AS (
    SELECT
        answer.benchmark,
        answer.tree,
        answer.genre,
        answer.node,
        answer.weight
    FROM answer
    UNION ALL
    SELECT
        answer.benchmark,
        answer.tree,
        'all' AS genre,
        answer.node,
        answer.weight
    FROM answer
)

SELECT
    by_genre.benchmark,
    by_genre.tree,
    by_genre.genre,
    by_genre.node,
    count(*) AS n,
    min(by_genre.weight) AS lowest,
    quantile_cont(by_genre.weight, 0.25) AS quartile_1,
    quantile_cont(by_genre.weight, 0.5) AS median,
    quantile_cont(by_genre.weight, 0.75) AS quartile_3,
    max(by_genre.weight) AS highest,
    avg(by_genre.weight) AS mean
FROM by_genre
GROUP BY by_genre.benchmark, by_genre.tree, by_genre.genre, by_genre.node;

COMMENT ON VIEW bench.weight_distribution_v1 IS
'Spread of the negotiated weights, per genre and node.';
