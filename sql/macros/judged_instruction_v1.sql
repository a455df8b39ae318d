-- What judges and negotiators read as the instruction: I and G together (SPEC 4).
CREATE OR REPLACE MACRO judged_instruction_v1(instruction, grounding) AS
CASE
    WHEN coalesce(grounding, '') = '' THEN instruction
    ELSE concat(instruction, chr(10), chr(10), grounding)
END;
