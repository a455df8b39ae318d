-- Grain: benchmark, stage, model
-- Answers: What did the rows of a benchmark cost, and how many calls did stored replies save?
-- Formula: calls that this benchmark was the first to pay, all attempts of a call summed; n_row =
--     rows of this benchmark that rest on calls of the stage and model, n_hit = calls among them
--     that another benchmark had paid.
-- Missing: cost sums the known prices, n_cost_unknown calls have none; n_usage_unknown attempts
--     have an upper bound for their tokens.
-- Replaces: none
-- Known issue: none
CREATE OR REPLACE VIEW bench.cost_v1 AS
WITH row_call AS (
    SELECT
        leaf_score.benchmark,
        leaf_score.call_key
    FROM judge.leaf_score AS leaf_score
    UNION ALL
    SELECT
        edge_weight.benchmark,
        edge_weight.call_key
    FROM judge.edge_weight AS edge_weight
    UNION ALL
    SELECT
        document.benchmark,
        annotation.call_key
    FROM corpus.annotation AS annotation
    INNER JOIN corpus.document AS document ON document.document_id = annotation.document_id
    UNION ALL
    SELECT
        writing.benchmark,
        writing.call_key
    FROM corpus.writing AS writing
),

row_count AS (
    SELECT
        row_call.benchmark,
        row_call.call_key,
        count(*) AS n_row
    FROM row_call
    WHERE row_call.call_key IS NOT NULL
    GROUP BY row_call.benchmark, row_call.call_key
),

used AS (
    SELECT
        row_count.benchmark,
        call.stage,
        call.model,
        sum(row_count.n_row) AS n_row,
        count(CASE WHEN call.benchmark <> row_count.benchmark THEN 1 END) AS n_hit
    FROM row_count
    INNER JOIN judge.call AS call ON call.call_key = row_count.call_key
    GROUP BY row_count.benchmark, call.stage, call.model
),

paid AS (
    SELECT
        call.benchmark,
        call.stage,
        call.model,
        count(*) AS n_call,
        sum(call.n_attempt) AS n_attempt,
        sum(call.prompt_tokens) AS prompt_tokens,
        sum(call.completion_tokens) AS completion_tokens,
        sum(call.cost) AS cost,
        count(*) - count(call.cost) AS n_cost_unknown,
        sum(call.n_usage_unknown) AS n_usage_unknown
    FROM judge.call AS call
    GROUP BY call.benchmark, call.stage, call.model
)

SELECT
    coalesce(paid.benchmark, used.benchmark) AS benchmark,
    coalesce(paid.stage, used.stage) AS stage,
    coalesce(paid.model, used.model) AS model,
    coalesce(paid.n_call, 0) AS n_call,
    CAST(coalesce(paid.n_attempt, 0) AS BIGINT) AS n_attempt,
    CAST(coalesce(used.n_row, 0) AS BIGINT) AS n_row,
    coalesce(used.n_hit, 0) AS n_hit,
    CAST(paid.prompt_tokens AS BIGINT) AS prompt_tokens,
    CAST(paid.completion_tokens AS BIGINT) AS completion_tokens,
    paid.cost,
    coalesce(paid.n_cost_unknown, 0) AS n_cost_unknown,
    CAST(coalesce(paid.n_usage_unknown, 0) AS BIGINT) AS n_usage_unknown
FROM paid
FULL OUTER JOIN used
    ON
        used.benchmark = paid.benchmark
        AND used.stage = paid.stage
        AND used.model = paid.model;

COMMENT ON VIEW bench.cost_v1 IS
'Calls, rows, saved calls, tokens and money per stage and model.';
