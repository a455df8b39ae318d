-- Grain: benchmark, writing_id, node, judge, reference_mode
-- Answers: What did a judge of an imported data set say of a writing whose text we do not have?
-- Formula: raw scores of writings of status not_imported, averaged over presentations, then over
--     repeats; one node per leaf, and root = mean of the leaves that the judge scored anywhere in
--     the benchmark: a tree of one leaf per criterion with equal weights, named imported (SPEC 5).
-- Missing: score is NULL where the reply was not read; root is NULL when a leaf is.
-- Replaces: none
-- Known issue: a mean over replies that a data set was released with may hide an unread reply.
CREATE OR REPLACE VIEW bench.imported_score_v1 AS
WITH repeat_score AS (
    SELECT
        leaf_score.benchmark,
        leaf_score.writing_id,
        writing.item_id,
        writing.system,
        leaf_score.leaf,
        leaf_score.judge,
        leaf_score.reference_mode,
        leaf_score.repeat,
        avg(leaf_score.score) AS score
    FROM judge.leaf_score AS leaf_score
    INNER JOIN corpus.writing AS writing
        ON
            writing.benchmark = leaf_score.benchmark
            AND writing.writing_id = leaf_score.writing_id
    INNER JOIN corpus.item AS item
        ON item.benchmark = writing.benchmark AND item.item_id = writing.item_id
    WHERE writing.status = 'not_imported' AND item.status = 'accepted'
    GROUP BY
        leaf_score.benchmark,
        leaf_score.writing_id,
        writing.item_id,
        writing.system,
        leaf_score.leaf,
        leaf_score.judge,
        leaf_score.reference_mode,
        leaf_score.repeat
),

leaf AS (
    SELECT
        repeat_score.benchmark,
        repeat_score.writing_id,
        repeat_score.item_id,
        repeat_score.system,
        repeat_score.leaf,
        repeat_score.judge,
        repeat_score.reference_mode,
        avg(repeat_score.score) AS score
    FROM repeat_score
    GROUP BY
        repeat_score.benchmark,
        repeat_score.writing_id,
        repeat_score.item_id,
        repeat_score.system,
        repeat_score.leaf,
        repeat_score.judge,
        repeat_score.reference_mode
),

tree_size AS (
    SELECT
        leaf.benchmark,
        leaf.judge,
        leaf.reference_mode,
        count(DISTINCT leaf.leaf) AS n_leaf
    FROM leaf
    GROUP BY leaf.benchmark, leaf.judge, leaf.reference_mode
)

SELECT
    leaf.benchmark,
    leaf.writing_id,
    leaf.leaf AS node,
    leaf.judge,
    leaf.reference_mode,
    leaf.item_id,
    leaf.system,
    leaf.score
FROM leaf
UNION ALL
SELECT
    leaf.benchmark,
    leaf.writing_id,
    'root' AS node,
    leaf.judge,
    leaf.reference_mode,
    leaf.item_id,
    leaf.system,
    CASE WHEN count(leaf.score) = tree_size.n_leaf THEN avg(leaf.score) END AS score
FROM leaf
INNER JOIN tree_size
    ON
        tree_size.benchmark = leaf.benchmark
        AND tree_size.judge = leaf.judge
        AND tree_size.reference_mode = leaf.reference_mode
GROUP BY
    leaf.benchmark,
    leaf.writing_id,
    leaf.judge,
    leaf.reference_mode,
    leaf.item_id,
    leaf.system,
    tree_size.n_leaf;

COMMENT ON VIEW bench.imported_score_v1 IS
'Scores that judges of imported data sets gave, by criterion and over all criteria.';
