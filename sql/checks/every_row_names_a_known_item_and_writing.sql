-- A row names an item or a writing that does not exist: import that benchmark again.
SELECT DISTINCT
    'corpus.writing' AS found_in,
    writing.benchmark,
    writing.item_id AS unknown_id
FROM corpus.writing AS writing
LEFT JOIN corpus.item AS item
    ON item.benchmark = writing.benchmark AND item.item_id = writing.item_id
WHERE item.item_id IS NULL
UNION ALL
SELECT DISTINCT
    'judge.leaf_score' AS found_in,
    leaf_score.benchmark,
    leaf_score.writing_id AS unknown_id
FROM judge.leaf_score AS leaf_score
LEFT JOIN corpus.writing AS writing
    ON
        writing.benchmark = leaf_score.benchmark
        AND writing.writing_id = leaf_score.writing_id
WHERE writing.writing_id IS NULL
UNION ALL
SELECT DISTINCT
    'judge.edge_weight' AS found_in,
    edge_weight.benchmark,
    edge_weight.item_id AS unknown_id
FROM judge.edge_weight AS edge_weight
LEFT JOIN corpus.item AS item
    ON item.benchmark = edge_weight.benchmark AND item.item_id = edge_weight.item_id
WHERE item.item_id IS NULL;
