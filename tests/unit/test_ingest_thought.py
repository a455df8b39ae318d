"""Thoughts of a model are cut off; essays that mention the tags are left alone."""

import pytest

from towbench.ingest.thought import split_thought


@pytest.mark.parametrize(
    ("text", "judged"),
    [
        ("<think>a plan</think>\n\n正文", "正文"),
        ("\n<THINK>a</THINK>正文", "正文"),
        ("a plan, no opening tag\n</think>\n\n正文", "正文"),
        ("maybe [[3]]...</think>Score: [[8]]", "Score: [[8]]"),
        ("[THINK]4?[/THINK]{\"score\":7}", '{"score":7}'),
        ("◁think▷嗯◁/think▷正文", "正文"),
        ("<think>the tag <think> opens it</think>正文", "正文"),
        ("<think>I end with `</think>` later</think>正文", "正文"),
        ("<think>a</think>more thought</think>正文", "正文"),
        ("<think>a</think>\n\u3000\u3000段首缩进", "\u3000\u3000段首缩进"),
    ],
)  # fmt: skip
def test_thought_is_cut(text: str, judged: str) -> None:
    assert split_thought(text) == (judged, True, True)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "no tag at all",
        "An essay that says models write <think>like this</think> before they answer.",
        "文章谈到“</think>”这个标签。",
        "The tag `<think>` opens a thought.",
        "Models that open <think> and never close it fail.",
    ],
)
def test_a_quoted_tag_is_essay(text: str) -> None:
    assert split_thought(text) == (text, False, True)


def test_a_thought_that_never_closes_leaves_no_text() -> None:
    assert split_thought("<think>it is a 4, no, a") == ("", True, False)
