-- Key of a logical request: everything that can change the answer, nothing of how it travels.
-- Fence, nonce and structured-output mode are derived later and stay outside (DESIGN 4).
CREATE OR REPLACE MACRO call_key_v1(
    prompt_id, prompt_hash, model, sampling, repeat, presentation,
    instruction_hash, reference_hash, text_hash, dimensions_hash
) AS
sha256(
    concat(
        'call_v1|', prompt_id, '|', prompt_hash, '|', model, '|', sampling, '|', repeat, '|',
        presentation, '|', coalesce(instruction_hash, '-'), '|', coalesce(reference_hash, '-'),
        '|', coalesce(text_hash, '-'), '|', coalesce(dimensions_hash, '-')
    )
);
