-- Grain: benchmark, writing_key, judging_key, run_key, node_key
-- Answers: Which score has an inner node of a tree for a writing, in numbers instead of names?
-- Formula: sum over the leaves under the node of path weight x leaf value (SPEC 4).
-- Missing: NULL when a leaf of non-zero or unknown weight has no value; a leaf of weight zero need
--     not have one. n_scored of n_leaf leaves have a value.
-- Replaces: none
-- Known issue: none
CREATE OR REPLACE VIEW bench.node_sum_v1 AS
WITH summed AS (
    SELECT
        point.writing_key,
        point.judging_key,
        point.run_key,
        path.node_key,
        path.is_root,
        sum(
            CASE
                WHEN path.weight <> CAST(0 AS DOUBLE) THEN path.weight * point.value
                ELSE CAST(0 AS DOUBLE)
            END
        ) AS weighted_sum,
        count(
            CASE
                WHEN
                    path.weight IS NULL
                    OR (path.weight <> CAST(0 AS DOUBLE) AND point.value IS NULL)
                    THEN 1
            END
        ) AS n_missing,
        count(point.value) AS n_scored,
        count(*) AS n_leaf
    FROM bench.leaf_point_v1 AS point
    INNER JOIN bench.path_point_v1 AS path
        ON
            path.item_key = point.item_key
            AND path.leaf_key = point.leaf_key
    GROUP BY
        point.writing_key,
        point.judging_key,
        point.run_key,
        path.node_key,
        path.is_root
)

SELECT
    node.benchmark,
    summed.writing_key,
    summed.judging_key,
    summed.run_key,
    summed.node_key,
    summed.is_root,
    CASE WHEN summed.n_missing = 0 THEN summed.weighted_sum END AS score,
    summed.n_scored,
    summed.n_leaf
FROM summed
INNER JOIN bench.node_number_v1 AS node ON node.node_key = summed.node_key;

COMMENT ON VIEW bench.node_sum_v1 IS
'Score of every inner node of the asked trees, by writing, judge, mode and run, over numbers.';
