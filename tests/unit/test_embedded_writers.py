"""The writers are the transformations they are documented to be."""

import pytest

from towbench.udfs.embedded import answer
from towbench.udfs.embedded.writers import WRITERS

THREE = "第一段说河。它很长。\n\n第二段说桥。它很新。\n\n第三段说船。它很旧。"
ONE = "甲在河边。乙在桥上。丙在船里。丁在岸上。戊在家中。己在路上。"


def write(model: str, reference: str, lang: str = "zh") -> str:
    return answer(model, "write", lang, {"instruction": "写河。", "reference": reference})


def test_drop_paragraph() -> None:
    assert write("drop-paragraph", THREE) == "第一段说河。它很长。\n\n第三段说船。它很旧。"
    assert write("drop-paragraph", ONE) == "甲在河边。乙在桥上。丙在船里。丁在岸上。"
    assert write("drop-paragraph", "甲乙丙丁。\n戊己。") == "甲乙丙丁。"


def test_lead_half_ends_at_a_sentence() -> None:
    assert write("lead-half", ONE) == "甲在河边。乙在桥上。丙在船里。"
    assert write("lead-half", THREE) == "第一段说河。它很长。"
    assert write("lead-half", "A dog ran. A cat sat. A cow lay. A pig ate.", "en") == (
        "A dog ran. A cat sat."
    )


def test_shuffle_words_keeps_the_words_of_each_paragraph() -> None:
    shuffled = write("shuffle-words", THREE)
    assert shuffled != THREE
    for before, after in zip(THREE.split("\n\n"), shuffled.split("\n\n"), strict=True):
        assert sorted(before) == sorted(after)
    assert write("shuffle-words", THREE) == shuffled


def test_prompt_copy() -> None:
    assert write("prompt-copy", ONE) == "写河。"


@pytest.mark.parametrize("model", sorted(WRITERS))
@pytest.mark.parametrize("reference", ["", "。", "河", "只有一句话没有句号", "# 题\n"])
def test_odd_references_do_not_break(model: str, reference: str) -> None:
    assert isinstance(write(model, reference), str)
