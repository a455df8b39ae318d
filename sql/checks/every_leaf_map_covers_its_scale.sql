-- The map of a node gives no value for an end of the leaf's scale: mend map_args in schemas/trees.
SELECT
    tree_node.tree,
    tree_node.node,
    tree_node.map
FROM judge.tree_node AS tree_node
INNER JOIN judge.leaf AS leaf ON leaf.leaf = tree_node.leaf
WHERE
    map_score_v1(leaf.low, tree_node.map, tree_node.map_args) IS NULL
    OR map_score_v1(leaf.high, tree_node.map, tree_node.map_args) IS NULL;
