"""Statistics of one text against values worked out by hand."""

import pytest

from towbench.udfs.embedded.features import ends_whole, mattr, profile


def test_mattr_of_few_words_is_the_type_token_ratio() -> None:
    assert mattr(["a", "b", "a", "c"]) == 0.75
    assert mattr([]) == 0.0


def test_mattr_moves_a_window_of_fifty() -> None:
    words = [str(i) for i in range(50)] + ["0"] * 50
    expected = sum(len(set(words[i : i + 50])) for i in range(51)) / (50 * 51)
    assert mattr(words) == pytest.approx(expected)


def test_repeated_runs() -> None:
    once = "河水退下去以后渡口露出一排青石老周每天清早来数石头。"
    stats = profile(once, "zh").stats
    assert stats["repeat_short"] == 0.0
    twice = profile(f"{once}\n{once}", "zh").stats
    assert twice["repeat_short"] > 0.3
    assert twice["twice"] == pytest.approx(0.5)


def test_foreign_letters() -> None:
    assert profile("河水退下去以后渡口露出青石。", "zh").stats["foreign"] == 0.0
    half = profile("河水退下去以后 the river fell away", "zh").stats["foreign"]
    assert half == pytest.approx(8 / (8 + 7))
    assert profile("The river fell away. 河水退了", "en").stats["foreign"] > 0.2


@pytest.mark.parametrize(
    ("text", "whole"),
    [
        ("他走了。", True),
        ("他说：“走吧”", True),
        ("甲方：\n内容。\n2024年3月1日", True),
        ("他走到门口，", False),
        ("这是一段没有写完的话，后面本来还有很多很多内容没有写出来就断在这里", False),
        ("", False),
    ],
)
def test_ends_whole(text: str, whole: bool) -> None:
    assert ends_whole(text) is whole


def test_word_order_tells_prose_from_a_shuffle() -> None:
    text = "河水退下去以后，渡口露出了一排青石。老周每天清早都来数石头，数到第七块就停住了。"
    words = "的，了石头一排清早数。退老周都第七块，来青石以后露出每天就数到停住河水下去。"
    assert profile(text, "zh").stats["word_order"] > 0.1
    assert profile(words, "zh").stats["word_order"] < profile(text, "zh").stats["word_order"] - 0.2
