-- Grain: benchmark, stage, model, run_id
-- Answers: What did a run cost at each stage and model, and how many calls did stored replies save?
-- Formula: attempts that the benchmark was the first to ask for, failed ones included, at the price
--     of the day they were sent; n_row = rows of the benchmark that the run wrote on calls of the
--     stage and model, n_hit = calls among them that this run and benchmark did not pay.
-- Missing: cost sums attempts of known tokens and price; cost_bound is the most that the
--     n_usage_unknown attempts whose reply never came can have cost, n_cost_unknown attempts have
--     no known price (or no upper bound).
-- Replaces: none
-- Known issue: none
CREATE OR REPLACE VIEW bench.cost_v1 AS
WITH row_call AS (
    SELECT
        leaf_score.benchmark,
        leaf_score.run_id,
        leaf_score.call_key
    FROM judge.leaf_score AS leaf_score
    UNION ALL
    SELECT
        edge_weight.benchmark,
        edge_weight.run_id,
        edge_weight.call_key
    FROM judge.edge_weight AS edge_weight
    UNION ALL
    SELECT
        document.benchmark,
        annotation.run_id,
        annotation.call_key
    FROM corpus.annotation AS annotation
    INNER JOIN corpus.document AS document ON document.document_id = annotation.document_id
    UNION ALL
    SELECT
        writing.benchmark,
        writing.run_id,
        writing.call_key
    FROM corpus.writing AS writing
),

row_count AS (
    SELECT
        row_call.benchmark,
        row_call.run_id,
        row_call.call_key,
        count(*) AS n_row
    FROM row_call
    WHERE row_call.call_key IS NOT NULL
    GROUP BY row_call.benchmark, row_call.run_id, row_call.call_key
),

paid_call AS (
    SELECT DISTINCT
        attempt.benchmark,
        attempt.run_id,
        attempt.call_key
    FROM judge.attempt AS attempt
),

used AS (
    SELECT
        row_count.benchmark,
        call.stage,
        call.model,
        row_count.run_id,
        sum(row_count.n_row) AS n_row,
        count(*) - count(paid_call.call_key) AS n_hit
    FROM row_count
    INNER JOIN judge.call AS call ON call.call_key = row_count.call_key
    LEFT JOIN paid_call
        ON
            paid_call.benchmark = row_count.benchmark
            AND paid_call.run_id = row_count.run_id
            AND paid_call.call_key = row_count.call_key
    GROUP BY row_count.benchmark, call.stage, call.model, row_count.run_id
),

paid AS (
    SELECT
        attempt.benchmark,
        attempt.stage,
        attempt.model,
        attempt.run_id,
        count(DISTINCT attempt.call_key) AS n_call,
        count(*) AS n_attempt,
        count(CASE WHEN attempt.status <> 'ok' THEN 1 END) AS n_failed,
        sum(CASE WHEN NOT attempt.usage_unknown THEN attempt.prompt_tokens END)
            AS prompt_tokens,
        sum(CASE WHEN NOT attempt.usage_unknown THEN attempt.completion_tokens END)
            AS completion_tokens,
        sum(CASE WHEN NOT attempt.usage_unknown THEN attempt.cost END) AS cost,
        sum(CASE WHEN attempt.usage_unknown THEN attempt.cost END) AS cost_bound,
        count(CASE WHEN attempt.usage_unknown THEN 1 END) AS n_usage_unknown,
        count(*) - count(attempt.cost) AS n_cost_unknown
    FROM judge.attempt AS attempt
    GROUP BY attempt.benchmark, attempt.stage, attempt.model, attempt.run_id
)

SELECT
    coalesce(paid.benchmark, used.benchmark) AS benchmark,
    coalesce(paid.stage, used.stage) AS stage,
    coalesce(paid.model, used.model) AS model,
    coalesce(paid.run_id, used.run_id) AS run_id,
    coalesce(paid.n_call, 0) AS n_call,
    coalesce(paid.n_attempt, 0) AS n_attempt,
    coalesce(paid.n_failed, 0) AS n_failed,
    CAST(coalesce(used.n_row, 0) AS BIGINT) AS n_row,
    coalesce(used.n_hit, 0) AS n_hit,
    CAST(paid.prompt_tokens AS BIGINT) AS prompt_tokens,
    CAST(paid.completion_tokens AS BIGINT) AS completion_tokens,
    paid.cost,
    paid.cost_bound,
    coalesce(paid.n_usage_unknown, 0) AS n_usage_unknown,
    coalesce(paid.n_cost_unknown, 0) AS n_cost_unknown
FROM paid
FULL OUTER JOIN used
    ON
        used.benchmark = paid.benchmark
        AND used.stage = paid.stage
        AND used.model = paid.model
        AND used.run_id = paid.run_id;

COMMENT ON VIEW bench.cost_v1 IS
'Calls, attempts, rows, saved calls, tokens and money per stage, model and run.';
