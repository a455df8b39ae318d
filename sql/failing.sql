-- Stages and models of this run that fail at more than half of what they are asked (cases D 21), a
-- row each, the worst first. A request that an earlier run asked in vain is not counted, so that a
-- few texts that never get an answer do not stop every run that asks them again.
WITH asked AS (
    SELECT
        request.stage,
        request.model,
        answer.status,
        answer.status IN ('ok', 'repaired', 'not_applicable') AS is_settled
    FROM pending.answer AS answer
    INNER JOIN ledger.request AS request ON request.call_key = answer.call_key
    CROSS JOIN pending.run AS run
    WHERE
        answer.status NOT IN ('skipped_budget', 'not_in_ledger')
        AND answer.call_key NOT IN (
            SELECT intent.call_key FROM ledger.intent AS intent
            WHERE intent.run_id <> run.run_id
        )
),

by_status AS (
    SELECT
        asked.stage,
        asked.model,
        asked.status,
        asked.is_settled,
        count(*) AS n
    FROM asked
    GROUP BY ALL
)

SELECT
    by_status.stage,
    by_status.model,
    CAST(sum(by_status.n) AS BIGINT) AS n_asked,
    CAST(sum(by_status.n) FILTER (WHERE NOT by_status.is_settled) AS BIGINT) AS n_failed,
    string_agg(concat(by_status.status, ' ', by_status.n), ', ' ORDER BY by_status.n DESC)
    FILTER (WHERE NOT by_status.is_settled) AS statuses
FROM by_status
GROUP BY by_status.stage, by_status.model
HAVING 2 * sum(by_status.n) FILTER (WHERE NOT by_status.is_settled) > sum(by_status.n)
ORDER BY n_failed DESC, by_status.stage ASC, by_status.model ASC;
