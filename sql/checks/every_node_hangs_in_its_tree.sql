-- A tree has no root or two, a node whose parent is missing, or a branch that ends in no leaf: mend
-- schemas/trees and run make score.
WITH faulty AS (
    SELECT
        node.tree,
        node.node,
        'parent is missing' AS fault
    FROM judge.tree_node AS node
    LEFT JOIN judge.tree_node AS parent
        ON parent.tree = node.tree AND parent.node = node.parent
    WHERE node.parent IS NOT NULL AND parent.node IS NULL
    UNION ALL
    SELECT
        node.tree,
        node.node,
        'ends in no leaf' AS fault
    FROM judge.tree_node AS node
    LEFT JOIN judge.tree_node AS child ON child.tree = node.tree AND child.parent = node.node
    LEFT JOIN judge.leaf AS leaf ON leaf.leaf = node.leaf
    WHERE child.node IS NULL AND leaf.leaf IS NULL
    UNION ALL
    SELECT
        node.tree,
        node.node,
        'is a leaf with children' AS fault
    FROM judge.tree_node AS node
    INNER JOIN judge.tree_node AS child ON child.tree = node.tree AND child.parent = node.node
    WHERE node.leaf IS NOT NULL
    UNION ALL
    SELECT
        node.tree,
        NULL AS node,
        'has not exactly one root' AS fault
    FROM judge.tree_node AS node
    GROUP BY node.tree
    HAVING count(CASE WHEN node.parent IS NULL THEN 1 END) <> 1
)

SELECT DISTINCT
    faulty.tree,
    faulty.node,
    faulty.fault
FROM faulty;
