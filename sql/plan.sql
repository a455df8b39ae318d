-- What a run would ask and may cost: from the cells of its steps to the rows of pending.plan.
-- The size of every text, in bytes.
CREATE OR REPLACE TABLE pending.plan_text AS
SELECT
    source.hash,
    any_value(source.n_byte) AS n_byte
FROM (
    SELECT
        text.hash,
        strlen(text.text) AS n_byte
    FROM ledger.text AS text
    UNION ALL
    SELECT
        text.hash,
        strlen(text.text) AS n_byte
    FROM bench.text_v1 AS text
) AS source
GROUP BY source.hash;

-- Requests to come and requests of the past with the size of the prompt as it is sent.
CREATE OR REPLACE TABLE pending.plan_request AS
WITH asked AS (
    SELECT
        cell.call_key,
        cell.stage,
        cell.model,
        cell.prompt_id,
        cell.instruction_hash,
        cell.reference_hash,
        cell.text_hash,
        cell.dimensions_hash
    FROM pending.plan_cell AS cell
    WHERE cell.is_open
    UNION
    SELECT
        request.call_key,
        request.stage,
        request.model,
        request.prompt_id,
        request.instruction_hash,
        request.reference_hash,
        request.text_hash,
        request.dimensions_hash
    FROM ledger.request AS request
)

SELECT
    asked.call_key,
    any_value(asked.stage) AS stage,
    any_value(asked.model) AS model,
    any_value(asked.prompt_id) AS prompt_id,
    any_value(
        frame.n_byte
        + frame.n_instruction * coalesce(instruction.n_byte, 0)
        + frame.n_reference * coalesce(reference.n_byte, 0)
        + frame.n_text * coalesce(body.n_byte, 0)
        + frame.n_dimensions * coalesce(dimensions.n_byte, 0)
    ) AS n_byte
FROM asked
INNER JOIN pending.plan_frame AS frame ON frame.prompt_id = asked.prompt_id
LEFT JOIN pending.plan_text AS instruction ON instruction.hash = asked.instruction_hash
LEFT JOIN pending.plan_text AS reference ON reference.hash = asked.reference_hash
LEFT JOIN pending.plan_text AS body ON body.hash = asked.text_hash
LEFT JOIN pending.plan_text AS dimensions ON dimensions.hash = asked.dimensions_hash
GROUP BY asked.call_key;

-- What replies of a stage and model took so far, by prompt and over all its prompts (NULL). All
-- attempts of a call count, so that what is asked again is in it. Under 50 replies it says nothing.
CREATE OR REPLACE TABLE pending.plan_history AS
WITH replied AS (
    SELECT
        attempt.call_key,
        sum(attempt.prompt_tokens) AS prompt_tokens,
        sum(attempt.completion_tokens) AS completion_tokens,
        avg(attempt.latency_ms) FILTER (WHERE attempt.status = 'ok' AND NOT attempt.is_batch)
            AS latency_ms
    FROM ledger.attempt AS attempt
    WHERE NOT attempt.usage_unknown
    GROUP BY attempt.call_key
    HAVING count(*) FILTER (WHERE attempt.status = 'ok') > 0
)

SELECT
    request.stage,
    request.model,
    request.prompt_id,
    sum(replied.prompt_tokens) / sum(request.n_byte) AS token_per_byte,
    avg(replied.completion_tokens) AS completion_tokens,
    avg(replied.latency_ms) AS latency_ms
FROM replied
INNER JOIN pending.plan_request AS request ON request.call_key = replied.call_key
GROUP BY
    GROUPING SETS (
        (request.stage, request.model, request.prompt_id),
        (request.stage, request.model)
    )
HAVING count(*) >= 50 AND sum(request.n_byte) > 0;

-- Calls whose inputs do not exist yet: how many there can be, on inputs of which size.
CREATE OR REPLACE TABLE pending.plan_later AS
WITH labelling AS (
    SELECT
        document.benchmark,
        strlen(document.text) AS n_byte,
        label.rubric IS NULL AS wants_quality,
        label.quality IS NULL AS wants_construct
    FROM corpus.document AS document
    INNER JOIN bench.document_label_v1 AS label
        ON label.benchmark = document.benchmark AND label.document_id = document.document_id
    WHERE document.status IN ('ok', 'below_quality')
),

article AS (
    SELECT DISTINCT
        page.benchmark,
        page.source,
        page.article_url
    FROM raw.page AS page
    WHERE page.status = 'ok' AND page.kind <> 'list'
),

new_article AS (
    SELECT article.benchmark
    FROM article
    LEFT JOIN corpus.document AS document
        ON
            document.benchmark = article.benchmark
            AND document.source = article.source
            AND document.url = article.article_url
    WHERE document.document_id IS NULL
),

writing_to_come AS (
    SELECT
        cell.benchmark,
        cell.item_id,
        count(*) AS n_writing
    FROM pending.plan_write AS cell
    GROUP BY cell.benchmark, cell.item_id
    UNION ALL
    SELECT
        cell.benchmark,
        cell.item_id,
        count(*) AS n_writing
    FROM pending.perturbation_cell AS cell
    GROUP BY cell.benchmark, cell.item_id
    UNION ALL
    SELECT
        item.benchmark,
        item.item_id,
        1 AS n_writing
    FROM corpus.item AS item
    INNER JOIN pending.selected_item AS selected
        ON selected.benchmark = item.benchmark AND selected.item_id = item.item_id
    WHERE
        item.reference <> ''
        AND NOT EXISTS (
            SELECT 1
            FROM corpus.writing AS known
            WHERE
                known.benchmark = item.benchmark
                AND known.item_id = item.item_id
                AND known.system = 'reference'
        )
),

task_leaf AS (
    SELECT DISTINCT
        task_node.benchmark,
        task_node.task,
        task_node.genre,
        task_node.leaf
    FROM bench.task_node_v1 AS task_node
    INNER JOIN judge.leaf AS leaf
        ON leaf.leaf = task_node.leaf AND leaf.kind = 'model'
),

judging AS (
    SELECT
        asked.benchmark,
        task_leaf.task,
        task_leaf.genre,
        asked.judge AS model,
        prompt.prompt_id,
        prompt.lang,
        count(*) AS n_call
    FROM bench.asked_judging_v1 AS asked
    INNER JOIN task_leaf
        ON task_leaf.benchmark = asked.benchmark AND task_leaf.leaf = asked.leaf
    INNER JOIN judge.prompt AS prompt
        ON
            -- Prompts for each rubric are about as long as that of documents.
            prompt.task IN (asked.leaf, concat(asked.leaf, '_document'))
            AND prompt.has_reference = (asked.reference_mode <> 'none')
            AND prompt.is_current
    GROUP BY
        asked.benchmark,
        task_leaf.task,
        task_leaf.genre,
        asked.judge,
        prompt.prompt_id,
        prompt.lang
)

SELECT
    new_article.benchmark,
    'genre' AS stage,
    asked.name AS model,
    CAST(NULL AS VARCHAR) AS prompt_id,
    count(*) AS n_call,
    count(*) * 6000 AS n_byte,
    'pages that are not extracted yet' AS waits_for
FROM new_article
INNER JOIN run.asked AS asked
    ON asked.benchmark = new_article.benchmark AND asked.kind = 'classifier'
GROUP BY new_article.benchmark, asked.name
UNION ALL
SELECT
    labelling.benchmark,
    'quality' AS stage,
    asked.name AS model,
    CAST(NULL AS VARCHAR) AS prompt_id,
    count(*) AS n_call,
    CAST(sum(labelling.n_byte + 3000) AS BIGINT) AS n_byte,
    'genres; at most so many' AS waits_for
FROM labelling
INNER JOIN run.asked AS asked
    ON asked.benchmark = labelling.benchmark AND asked.kind = 'filter'
WHERE labelling.wants_quality
GROUP BY labelling.benchmark, asked.name
UNION ALL
SELECT
    labelling.benchmark,
    'construct' AS stage,
    asked.name AS model,
    CAST(NULL AS VARCHAR) AS prompt_id,
    count(*) AS n_call,
    CAST(sum(labelling.n_byte + 3000) AS BIGINT) AS n_byte,
    'quality ratings; at most so many' AS waits_for
FROM labelling
INNER JOIN run.asked AS asked
    ON asked.benchmark = labelling.benchmark AND asked.kind = 'constructor'
WHERE labelling.wants_construct
GROUP BY labelling.benchmark, asked.name
UNION ALL
-- A text to come is taken to be as long as the reference.
SELECT
    item.benchmark,
    'score' AS stage,
    judging.model,
    judging.prompt_id,
    CAST(sum(writing_to_come.n_writing * judging.n_call) AS BIGINT) AS n_call,
    CAST(
        sum(
            writing_to_come.n_writing * judging.n_call
            * (
                frame.n_byte
                + frame.n_instruction
                * strlen(judged_instruction_v1(item.instruction, item.grounding))
                + (frame.n_reference + frame.n_text) * strlen(item.reference)
            )
        ) AS BIGINT
    ) AS n_byte,
    'texts that are not written yet' AS waits_for
FROM writing_to_come
INNER JOIN corpus.item AS item
    ON
        item.benchmark = writing_to_come.benchmark
        AND item.item_id = writing_to_come.item_id
INNER JOIN judging
    ON
        judging.benchmark = item.benchmark
        AND judging.task = item.task
        AND judging.genre = item.genre
        AND judging.lang = CASE WHEN item.lang = 'zh' THEN 'zh' ELSE 'en' END
INNER JOIN pending.plan_frame AS frame ON frame.prompt_id = judging.prompt_id
GROUP BY item.benchmark, judging.model, judging.prompt_id;

-- Tokens: by the stage's own history where it has one, else four bytes a token and a usual length.
CREATE OR REPLACE TABLE pending.plan_call AS
WITH guess AS (
    SELECT
        guess.stage,
        guess.completion_tokens
    FROM (
        VALUES
        ('embed', 0),
        ('genre', 40), ('quality', 200), ('construct', 600), ('negotiate', 150), ('write', 1500),
        ('score', 200), ('perturb', 1500), ('marks', 150)
    ) AS guess (stage, completion_tokens)
),

wanted AS (
    SELECT
        cell.benchmark,
        cell.stage,
        cell.model,
        request.prompt_id,
        CASE WHEN cell.is_open THEN 1 ELSE 0 END AS n_call,
        CASE WHEN cell.is_open THEN 0 ELSE 1 END AS n_hit,
        CASE WHEN cell.is_open THEN request.n_byte ELSE 0 END AS n_byte,
        CAST(NULL AS VARCHAR) AS waits_for
    FROM pending.plan_cell AS cell
    LEFT JOIN pending.plan_request AS request ON request.call_key = cell.call_key
    UNION ALL
    SELECT
        later.benchmark,
        later.stage,
        later.model,
        later.prompt_id,
        later.n_call,
        0 AS n_hit,
        later.n_byte,
        later.waits_for
    FROM pending.plan_later AS later
)

SELECT
    wanted.benchmark,
    wanted.stage,
    wanted.model,
    wanted.waits_for,
    wanted.n_call,
    wanted.n_hit,
    wanted.n_byte * coalesce(own.token_per_byte, stage.token_per_byte, 0.25) AS prompt_tokens,
    wanted.n_call
    * coalesce(own.completion_tokens, stage.completion_tokens, guess.completion_tokens, 500)
        AS completion_tokens,
    coalesce(own.latency_ms, stage.latency_ms) AS latency_ms,
    stage.stage IS NULL AS is_guess
FROM wanted
LEFT JOIN guess ON guess.stage = wanted.stage
LEFT JOIN pending.plan_history AS own
    ON
        own.stage = wanted.stage
        AND own.model = wanted.model
        AND own.prompt_id = wanted.prompt_id
LEFT JOIN pending.plan_history AS stage
    ON
        stage.stage = wanted.stage
        AND stage.model = wanted.model
        AND stage.prompt_id IS NULL;

-- The price of the day: the model's own rows before those of a prefix, the longest first.
CREATE OR REPLACE TABLE pending.plan_price AS
SELECT
    called.model,
    price.input,
    price.output,
    CASE WHEN day.is_batch THEN coalesce(price.batch_factor, 1) ELSE 1 END AS factor
FROM (SELECT DISTINCT plan_call.model FROM pending.plan_call AS plan_call) AS called
CROSS JOIN pending.plan_day AS day
INNER JOIN run.price AS price
    ON
        price.since <= day.day
        AND (
            price.model = called.model
            OR (
                price.model LIKE '%*'
                AND starts_with(called.model, left(price.model, length(price.model) - 1))
            )
        )
QUALIFY
    row_number() OVER (
        PARTITION BY called.model
        ORDER BY price.model LIKE '%*', length(price.model) DESC, price.since DESC
    ) = 1;

CREATE OR REPLACE TABLE pending.plan AS
WITH summed AS (
    SELECT
        plan_call.benchmark,
        plan_call.stage,
        plan_call.model,
        plan_call.waits_for,
        sum(plan_call.n_call) AS n_call,
        sum(plan_call.n_hit) AS n_hit,
        sum(plan_call.prompt_tokens) AS prompt_tokens,
        sum(plan_call.completion_tokens) AS completion_tokens,
        avg(plan_call.latency_ms) AS latency_ms,
        bool_or(plan_call.is_guess) AS is_guess
    FROM pending.plan_call AS plan_call
    GROUP BY plan_call.benchmark, plan_call.stage, plan_call.model, plan_call.waits_for
)

SELECT
    summed.benchmark,
    summed.stage,
    summed.model,
    CAST(summed.n_call AS BIGINT) AS n_call,
    CAST(summed.n_hit AS BIGINT) AS n_hit,
    CAST(round(summed.prompt_tokens) AS BIGINT) AS prompt_tokens,
    CAST(round(summed.completion_tokens) AS BIGINT) AS completion_tokens,
    CASE
        WHEN summed.n_call = 0 THEN 0
        ELSE
            (
                summed.prompt_tokens * price.input + summed.completion_tokens * price.output
            ) * price.factor / 1000000
    END AS cost,
    CASE
        WHEN day.is_batch AND provider.provider <> 'embedded' THEN NULL
        ELSE
            greatest(
                summed.n_call * summed.latency_ms
                / (60000 * greatest(least(provider.concurrency, summed.n_call), 1)),
                CAST(summed.n_call AS DOUBLE) / provider.requests_per_minute,
                (summed.prompt_tokens + summed.completion_tokens) / provider.tokens_per_minute
            )
    END AS minutes,
    summed.is_guess AND summed.n_call > 0 AS is_guess,
    summed.waits_for
FROM summed
CROSS JOIN pending.plan_day AS day
LEFT JOIN pending.plan_price AS price ON price.model = summed.model
LEFT JOIN pending.plan_provider AS provider
    ON provider.provider = split_part(summed.model, '/', 1);
