-- Fills: withdrawn status of documents, items and writings under a takedown request
-- Command: corpus, withdraw
-- A document falls by its id, its address (with all texts of that page) or an item built from it,
-- and takes its other items and their writings with it. Rows stay; views and releases leave them
-- out.
UPDATE corpus.document
SET status = 'withdrawn', reason = withdrawal.reason
FROM raw.withdrawal AS withdrawal
WHERE
    document.status <> 'withdrawn'
    AND (
        (withdrawal.kind = 'document' AND withdrawal.target = document.document_id)
        OR (
            withdrawal.kind = 'url'
            AND withdrawal.target IN (document.url, split_part(document.url, '#', 1))
        )
        OR (
            withdrawal.kind = 'item'
            AND document.document_id IN (
                SELECT item.document_id
                FROM corpus.item AS item
                WHERE item.item_id = withdrawal.target AND item.document_id IS NOT NULL
            )
        )
    );

UPDATE corpus.item
SET status = 'withdrawn', reason = 'takedown request'
WHERE
    item.status <> 'withdrawn'
    AND (
        item.item_id IN (
            SELECT withdrawal.target
            FROM raw.withdrawal AS withdrawal
            WHERE withdrawal.kind = 'item'
        )
        OR item.document_id IN (
            SELECT document.document_id
            FROM corpus.document AS document
            WHERE document.status = 'withdrawn'
        )
    );

UPDATE corpus.writing
SET status = 'withdrawn', reason = 'takedown request'
FROM corpus.item AS item
WHERE
    item.benchmark = writing.benchmark
    AND item.item_id = writing.item_id
    AND item.status = 'withdrawn'
    AND writing.status <> 'withdrawn';
