"""Tokens, letters, sentences."""

import pytest

from towbench.udfs.embedded.segment import (
    EDGE,
    has_letters,
    letter_count,
    paragraphs_of,
    read,
    sentences_of,
    tokenize,
)


@pytest.mark.parametrize(
    ("text", "letters"),
    [("", 0), ("河水，3月！", 3), ("don't stop", 8), (" 12 ——", 0), ("é漢A", 3)],
)
def test_letter_count(text: str, letters: int) -> None:
    assert letter_count(text) == letters
    assert has_letters(text, letters + 1) is False
    assert letters == 0 or has_letters(text, letters)


def test_every_paragraph_end_is_one_edge() -> None:
    tokens = tokenize("  河水退了。\n\n\u3000\u3000石头露出来。\n", "zh")
    assert [token for token in tokens if token is EDGE] == [EDGE] * 3
    assert tokens[0] is EDGE
    assert tokens[-1] is EDGE


def test_function_words_and_marks_are_their_own_class() -> None:
    kinds = {token.word: token.kind for token in tokenize("他的公园，3个。", "zh")}
    assert kinds["的"] == "的"
    assert kinds["，"] == "，"
    assert kinds["公园"] == "n"
    english = {
        token.word: token.kind for token in tokenize("The dogs walked 3 miles slowly.", "en")
    }
    assert english == {
        "\n": "|", "the": "the", "dogs": "~s", "walked": "~ed", "3": "#", "miles": "~s",
        "slowly": "~ly", ".": ".",
    }  # fmt: skip


def test_rarer_words_are_rarer() -> None:
    rarities = read("我们公园踟蹰", "zh").rarities
    assert rarities["公园"] < rarities["踟蹰"]
    assert "我们" not in rarities


def test_sentences_keep_quotes_and_decimals_whole() -> None:
    assert sentences_of("他说：“走吧。”她没动！\n第二段没有句号", "zh") == (
        "他说：“走吧。”",
        "她没动！",
        "第二段没有句号",
    )
    assert sentences_of("It cost 3.5 pounds. He paid!", "en") == ("It cost 3.5 pounds.", "He paid!")
    assert paragraphs_of("\u3000\u3000甲\n\n 乙 \n") == ("甲", "乙")
