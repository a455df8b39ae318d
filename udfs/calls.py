"""The SQL functions that ask models; each reads the replies of one schema."""

from towbench.udfs import (
    back_construct,
    classify_genre,
    filter_quality,
    negotiate_weights,
    score_leaf,
    write_candidate,
)
from towbench.udfs.reply import Form

CALLS: tuple[Form, ...] = (
    classify_genre,
    filter_quality,
    back_construct,
    negotiate_weights,
    score_leaf,
    write_candidate,
)
