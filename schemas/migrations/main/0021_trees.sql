-- Trees for some genres only, and what presentation a dimension's score comes from.
ALTER TABLE judge.tree_node ADD COLUMN genres VARCHAR[];
COMMENT ON COLUMN judge.tree_node.genres IS 'Genres that the node holds for; NULL = all.';

ALTER TABLE judge.sub_score ADD COLUMN presentation VARCHAR;
COMMENT ON COLUMN judge.sub_score.presentation IS 'Order of the texts in the reply''s prompt.';
