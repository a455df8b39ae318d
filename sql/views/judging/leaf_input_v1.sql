-- Grain: benchmark, writing_id, leaf, reference_mode
-- Answers: On which inputs, prompt and parser does a current judgement of a leaf rest?
-- Formula: writings of accepted items x leaves of the asked trees that hold for task and genre x
--     asked reference modes (none for a leaf without reference); input_hash over instruction,
--     reference and text, for a rule leaf over genre and text. A leaf that has no prompt of its own
--     name has one for each rubric: that of the item's label, document where it has none (SPEC 3).
-- Missing: blocked names why a leaf cannot be judged (no_text, no_reference); withdrawn and not
--     imported writings have no row; prompt_id is NULL where no prompt exists.
-- Replaces: none
-- Known issue: none
CREATE OR REPLACE VIEW bench.leaf_input_v1 AS
WITH asked_leaf AS (
    SELECT DISTINCT
        task_node.benchmark,
        task_node.task,
        task_node.genre,
        leaf.leaf,
        leaf.kind,
        leaf.rule,
        leaf.leaf NOT IN (SELECT prompt.task FROM judge.prompt AS prompt) AS is_by_rubric,
        CASE WHEN leaf.uses_reference THEN mode.name ELSE 'none' END AS reference_mode,
        leaf.uses_reference AND mode.name <> 'none' AS has_reference
    FROM bench.task_node_v1 AS task_node
    INNER JOIN judge.leaf AS leaf ON leaf.leaf = task_node.leaf
    INNER JOIN run.asked AS mode
        ON mode.benchmark = task_node.benchmark AND mode.kind = 'reference_mode'
),

kind_of_input AS (
    SELECT DISTINCT
        asked_leaf.benchmark,
        asked_leaf.task,
        asked_leaf.genre,
        asked_leaf.kind,
        asked_leaf.reference_mode,
        asked_leaf.has_reference
    FROM asked_leaf
),

rubric AS (
    SELECT
        genre_label.label,
        any_value(genre_label.rubric) AS rubric
    FROM corpus.genre_label AS genre_label
    GROUP BY genre_label.label
),

-- One row per writing and kind of input, so that each hash is computed once.
material AS (
    SELECT
        writing.benchmark,
        writing.writing_id,
        writing.item_id,
        writing.system,
        writing.perturbation,
        writing.status AS writing_status,
        writing.text_hash,
        item.task,
        item.genre,
        coalesce(rubric.rubric, 'document') AS rubric,
        CASE WHEN item.lang = 'zh' THEN 'zh' ELSE 'en' END AS prompt_lang,
        item.instruction_hash,
        kind_of_input.kind,
        kind_of_input.reference_mode,
        kind_of_input.has_reference,
        CASE
            WHEN NOT kind_of_input.has_reference THEN NULL
            WHEN kind_of_input.reference_mode = 'human' AND item.reference <> ''
                THEN item.reference_hash
            WHEN model_text.status IN ('ok', 'damaged') THEN model_text.text_hash
        END AS reference_hash
    FROM corpus.writing AS writing
    INNER JOIN corpus.item AS item
        ON item.benchmark = writing.benchmark AND item.item_id = writing.item_id
    INNER JOIN kind_of_input
        ON
            kind_of_input.benchmark = item.benchmark
            AND kind_of_input.task = item.task
            AND kind_of_input.genre = item.genre
    LEFT JOIN rubric ON rubric.label = item.sub_task
    LEFT JOIN corpus.writing AS model_text
        ON
            kind_of_input.reference_mode = concat('system:', model_text.system)
            AND model_text.benchmark = writing.benchmark
            AND model_text.item_id = writing.item_id
            AND model_text.sample = 0
            AND model_text.perturbation IS NULL
    WHERE
        item.status = 'accepted'
        AND writing.status NOT IN ('withdrawn', 'not_imported')
),

hashed AS (
    SELECT
        material.benchmark,
        material.writing_id,
        material.item_id,
        material.system,
        material.perturbation,
        material.task,
        material.genre,
        material.rubric,
        material.prompt_lang,
        material.kind,
        material.reference_mode,
        material.has_reference,
        material.instruction_hash,
        material.reference_hash,
        material.text_hash,
        CASE
            WHEN material.writing_status = 'no_text' THEN 'no_text'
            WHEN material.has_reference AND material.reference_hash IS NULL THEN 'no_reference'
        END AS blocked,
        CASE
            WHEN material.kind = 'rule'
                THEN input_hash_v1(material.genre, NULL, material.text_hash)
            ELSE
                input_hash_v1(
                    material.instruction_hash, material.reference_hash, material.text_hash
                )
        END AS input_hash
    FROM material
)

SELECT
    hashed.benchmark,
    hashed.writing_id,
    asked_leaf.leaf,
    hashed.reference_mode,
    hashed.item_id,
    hashed.system,
    hashed.perturbation,
    hashed.task,
    hashed.genre,
    hashed.kind,
    hashed.instruction_hash,
    hashed.reference_hash,
    hashed.text_hash,
    prompt.prompt_hash,
    hashed.blocked,
    CASE WHEN hashed.kind = 'rule' THEN asked_leaf.rule ELSE prompt.prompt_id END AS prompt_id,
    hashed.input_hash,
    CASE WHEN hashed.kind = 'rule' THEN asked_leaf.rule ELSE parser.parser_version END
        AS parser_version
FROM hashed
INNER JOIN asked_leaf
    ON
        asked_leaf.benchmark = hashed.benchmark
        AND asked_leaf.task = hashed.task
        AND asked_leaf.genre = hashed.genre
        AND asked_leaf.kind = hashed.kind
        AND asked_leaf.reference_mode = hashed.reference_mode
        AND asked_leaf.has_reference = hashed.has_reference
LEFT JOIN judge.prompt AS prompt
    ON
        hashed.kind = 'model'
        AND prompt.task = CASE
            WHEN asked_leaf.is_by_rubric THEN concat(asked_leaf.leaf, '_', hashed.rubric)
            ELSE asked_leaf.leaf
        END
        AND prompt.lang = hashed.prompt_lang
        AND prompt.has_reference = hashed.has_reference
        AND prompt.is_current
LEFT JOIN judge.parser AS parser ON parser.is_current;

COMMENT ON VIEW bench.leaf_input_v1 IS
'Current inputs of every leaf that the asked trees need, with their hashes.';
