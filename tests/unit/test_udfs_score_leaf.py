"""A leaf's score needs a scale."""

from towbench.udfs import score_leaf
from towbench.udfs.reply import Asked, read


def test_a_prompt_without_a_range_gives_no_score() -> None:
    found = read("[[7]]", score_leaf, Asked("en"))
    assert (found.value, found.reason) == (None, "prompt_without_range")
