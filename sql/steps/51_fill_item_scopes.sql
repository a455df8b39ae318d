-- Fills: corpus.item_scope: all, task, genre and lang of every accepted item
-- Command: score
CREATE OR REPLACE TABLE pending.item_scope AS
SELECT
    item.benchmark,
    item.item_id,
    unnest(
        [
            'all', concat('task:', item.task), concat('genre:', item.genre),
            concat('lang:', item.lang)
        ]
    ) AS scope
FROM corpus.item AS item
WHERE item.status = 'accepted';

DELETE FROM corpus.item_scope
WHERE
    (
        item_scope.scope = 'all'
        OR starts_with(item_scope.scope, 'task:')
        OR starts_with(item_scope.scope, 'genre:')
        OR starts_with(item_scope.scope, 'lang:')
    )
    AND NOT EXISTS (
        SELECT 1
        FROM pending.item_scope AS wanted
        WHERE
            wanted.benchmark = item_scope.benchmark
            AND wanted.item_id = item_scope.item_id
            AND wanted.scope = item_scope.scope
    );

INSERT INTO corpus.item_scope BY NAME
SELECT
    wanted.benchmark,
    wanted.item_id,
    wanted.scope
FROM pending.item_scope AS wanted
WHERE NOT EXISTS (
    SELECT 1
    FROM corpus.item_scope AS known
    WHERE
        known.benchmark = wanted.benchmark
        AND known.item_id = wanted.item_id
        AND known.scope = wanted.scope
);
