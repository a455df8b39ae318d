"""cases A 10: which structured output a model takes."""

import asyncio
import time

import pytest

from towbench.udfs.dialect import Dialect, Style, response_format

SENT = {"temperature": 0, "top_p": 0.9, "max_tokens": 100}


def after(dialect: Dialect, *errors: str) -> list[Style | None]:
    """The styles tried when each is refused with one of the errors in turn."""
    style: Style | None = dialect.style(is_prose=False)
    tried = [style]
    for error in errors:
        assert style is not None
        style = dialect.next_style(style, SENT, error, is_prose=False)
        tried.append(style)
    return tried


def test_forms_are_tried_from_the_best_down() -> None:
    tried = after(Dialect(), "no", "no", "no")
    assert [one and one.form for one in tried] == ["json_schema", "json_object", "text", None]


def test_the_form_that_was_accepted_is_remembered() -> None:
    dialect = Dialect()
    dialect.settle(Style("json_object"), is_prose=False)
    dialect.settle(Style("text"), is_prose=False)
    assert after(dialect, "no") == [Style("json_object"), None]


def test_an_essay_is_asked_for_as_plain_text_and_settles_no_form() -> None:
    dialect = Dialect()
    assert dialect.style(is_prose=True) == Style("text")
    assert dialect.next_style(Style("text"), SENT, "too long", is_prose=True) is None
    dialect.settle(Style("text"), is_prose=True)
    assert dialect.style(is_prose=False) == Style("json_schema")


@pytest.mark.parametrize(
    ("error", "sent"),
    [
        (
            "Unsupported parameter: 'max_tokens' is not supported with this model. "
            "Use 'max_completion_tokens' instead.",
            {"temperature": 0, "top_p": 0.9, "max_completion_tokens": 100},
        ),
        (
            "Unsupported value: 'temperature' does not support 0.0 with this model.",
            {"top_p": 0.9, "max_tokens": 100},
        ),
        (
            "`temperature` and `top_p` cannot both be specified for this model.",
            {"temperature": 0, "max_tokens": 100},
        ),
    ],
)
def test_a_parameter_that_is_refused_by_name_is_renamed_or_left_out(
    error: str, sent: dict[str, object]
) -> None:
    """Reasoning models; X-PLUG/WritingBench #25 (cases A 10)."""
    dialect = Dialect()
    style = after(dialect, error)[-1]
    assert style is not None and style.form == "json_schema"
    sampling = {"temperature": 0, "top_p": 0.9}
    assert style.parameters(sampling, 100) == sent
    assert dialect.style(is_prose=False).parameters(sampling, 100) == SENT
    dialect.settle(style, is_prose=False)
    assert dialect.style(is_prose=True).parameters(sampling, 100) == sent


def test_what_is_left_out_is_noted() -> None:
    assert Style("text", frozenset({"temperature", "max_tokens"})).note == (
        "sent without temperature"
    )
    assert Style("text", frozenset({"max_tokens"})).note is None


def test_others_wait_for_the_first_but_not_for_long() -> None:
    async def scene(settles: bool) -> float:
        dialect = Dialect()
        await dialect.probe()
        started = time.monotonic()
        if settles:
            asyncio.get_running_loop().call_later(0.1, dialect.settle, Style("text"), False)
        await asyncio.gather(*(dialect.probe() for _ in range(5)))
        await dialect.probe()
        return time.monotonic() - started

    assert 0.09 < asyncio.run(scene(settles=True)) < 0.9
    assert 0.9 < asyncio.run(scene(settles=False)) < 1.9


def test_the_schema_that_is_sent_is_the_declared_one() -> None:
    sent = response_format("json_schema", "leaf_score_v1")
    assert sent is not None
    schema = sent["json_schema"]["schema"]
    assert schema["required"] == list(schema["properties"]) == ["nonce", "reason", "score"]
    assert response_format("json_object", "leaf_score_v1") == {"type": "json_object"}
    assert response_format("text", "leaf_score_v1") is None
