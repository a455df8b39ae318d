-- Fills: the stored hashes of corpus.item and corpus.writing whose text was edited since
-- Command: score, generate
-- Edited inputs are judged again because every judgement names the hashes it rests on.
UPDATE corpus.item
SET
    instruction_hash = sha256(judged_instruction_v1(item.instruction, item.grounding)),
    reference_hash = sha256(item.reference)
WHERE
    instruction_hash <> sha256(judged_instruction_v1(item.instruction, item.grounding))
    OR reference_hash <> sha256(item.reference);

UPDATE corpus.writing
SET text_hash = sha256(writing.judged_text)
WHERE text_hash <> sha256(writing.judged_text);
