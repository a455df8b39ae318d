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
        cell.benchmark,
        cell.tree,
        item.genre,
        cell.node,
        edge_weight.weight
    FROM bench.edge_cell_v1 AS cell
    INNER JOIN judge.edge_weight AS edge_weight
        ON
            edge_weight.benchmark = cell.benchmark
            AND edge_weight.item_id = cell.item_id
            AND edge_weight.tree = cell.tree
            AND edge_weight.node = cell.node
            AND edge_weight.negotiator = cell.negotiator
            AND edge_weight.repeat = cell.repeat
            AND edge_weight.prompt_id = cell.prompt_id
            AND edge_weight.input_hash = cell.input_hash
            AND edge_weight.parser_version = cell.parser_version
    INNER JOIN corpus.item AS item
        ON item.benchmark = cell.benchmark AND item.item_id = cell.item_id
    WHERE edge_weight.weight IS NOT NULL
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
