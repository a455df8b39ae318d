-- Hash of the inputs a judgement rests on, from the stored hashes of its texts.
CREATE OR REPLACE MACRO input_hash_v1(instruction_hash, reference_hash, text_hash) AS
sha256(
    concat(
        coalesce(instruction_hash, '-'), '|', coalesce(reference_hash, '-'), '|',
        coalesce(text_hash, '-')
    )
);
