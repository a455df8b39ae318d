-- What a perturbed text was made from, and what a rating of a person rests on.
ALTER TABLE corpus.writing ADD COLUMN input_hash VARCHAR;
COMMENT ON COLUMN corpus.writing.input_hash IS
'Hash of what a perturbed text was made from and how; NULL for any other text.';

ALTER TABLE judge.human_rating ADD COLUMN guidelines VARCHAR;
ALTER TABLE judge.human_rating ADD COLUMN scale VARCHAR;
ALTER TABLE judge.human_rating ADD COLUMN record_id VARCHAR;
COMMENT ON COLUMN judge.human_rating.guidelines IS 'Version of the guidelines that were followed.';
COMMENT ON COLUMN judge.human_rating.scale IS 'Lowest and highest score, such as 1-5.';
COMMENT ON COLUMN judge.human_rating.record_id IS 'The line of raw.record that gave the score.';
