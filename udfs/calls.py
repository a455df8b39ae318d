"""The SQL functions that ask models; each reads the replies of one schema."""

from towbench.udfs import (
    back_construct,
    classify_genre,
    embed_text,
    filter_quality,
    find_marks,
    negotiate_weights,
    score_leaf,
    score_plan,
    score_rubric,
    write_candidate,
)
from towbench.udfs.reply import Form

CALLS: tuple[Form, ...] = (
    classify_genre,
    filter_quality,
    back_construct,
    find_marks,
    negotiate_weights,
    score_leaf,
    score_rubric,
    score_plan,
    write_candidate,
    embed_text,
)
