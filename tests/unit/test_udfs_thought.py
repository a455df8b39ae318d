"""cases A 5: thoughts that leak into a reply."""

import pytest

from towbench.udfs.thought import strip_thought


@pytest.mark.parametrize(
    ("reply", "answer"),
    [
        ("no thought", "no thought"),
        ("<think>[[3]]?</think>\nScore: [[8]]", "Score: [[8]]"),
        ("maybe [[3]]...</think>Score: [[8]]", "Score: [[8]]"),
        ('[THINK]4?[/THINK]{"score":7}', '{"score":7}'),
        ("First <thinking>a</thinking>[[8]]", "First [[8]]"),
        ("<think>a</think>b</think>[[8]]", "[[8]]"),
        ("<think>it is a 4, no, a", None),
        ("[[8]] <think>or", None),
        (
            '{"score": 7, "reason": "a stray </think> tag"}',
            '{"score": 7, "reason": "a stray </think> tag"}',
        ),
        ('<think>{"a": "b</think>{"score":7}', '{"score":7}'),
    ],
)
def test_the_answer_to_a_judging_prompt(reply: str, answer: str | None) -> None:
    assert strip_thought(reply, is_prose=False) == answer


def test_an_essay_may_speak_of_tags() -> None:
    essay = "He wrote `<think>` on the board and left."
    assert strip_thought(essay, is_prose=True) == essay
    assert strip_thought("<think>plan</think>\n\nOnce upon", is_prose=True) == "Once upon"
    assert strip_thought("<think>plan", is_prose=True) is None
