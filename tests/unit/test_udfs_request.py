"""What a request says of itself."""

import pytest

from towbench.udfs import negotiate_weights
from towbench.udfs.request import Request, unasked


def request(**fields: str | None) -> Request:
    given: dict[str, str | None] = {
        "call_key": "ab" * 32,
        "model": "deep/seek/r1",
        "prompt_id": "negotiate_v1.zh",
        "sampling": '{"temperature": 0.7, "top_p": null, "max_tokens": 100}',
        "presentation": "single",
        "instruction": "写一首诗",
        "reference": None,
        "text": None,
        "dimensions": None,
    }
    return Request(form=negotiate_weights, repeat=0, **given | fields)  # type: ignore[arg-type]


def test_the_alias_ends_at_the_first_slash() -> None:
    assert (request().provider, request().model_name) == ("deep", "seek/r1")


def test_only_texts_that_are_there_fill_slots() -> None:
    assert request().slots == {"instruction": "写一首诗"}
    assert request(text="").slots == {"instruction": "写一首诗", "text": ""}


@pytest.mark.parametrize(
    ("dimensions", "names"),
    [
        (None, ()),
        ("theme\nlanguage", ("theme", "language")),
        ("logic: Logic of it: all.\n情节：构思\n\n", ("logic", "情节")),
    ],
)
def test_asked_names_stand_before_the_colon(dimensions: str | None, names: tuple[str, ...]) -> None:
    assert request(dimensions=dimensions).asked_names == names


def test_unset_sampling_is_not_sent() -> None:
    assert request().sampling_values() == {"temperature": 0.7, "max_tokens": 100}


def test_a_request_that_was_not_sent_has_no_value() -> None:
    assert unasked(request(), "stopped")[1:4] == (None, "not_in_ledger", "stopped")
