"""Every fault of a reply ends as its table line says when the package reads it."""

from __future__ import annotations

import csv
import json
from importlib.resources import files

import pytest

from towbench.prompts import load_prompts, render, reply_form
from towbench.udfs import score_leaf
from towbench.udfs.embedded.endpoint_faults import (
    FAULTS,
    NO_FAULT,
    VALUE,
    Fault,
    Profile,
    fitting,
    parse_rates,
    table_lines,
)
from towbench.udfs.embedded.endpoint_prompts import draft
from towbench.udfs.embedded.endpoint_replies import Desk
from towbench.udfs.reply import Asked, read
from towbench.udfs.response import read_response

PROMPT = load_prompts()["logic_v1.en"]
TEXT = 'The ferry left at dawn and the "old man" counted the gulls above the water. ' * 3
NONCE = "1d0cf00d"
CONTENT = "\n\n".join(
    [
        render(PROMPT, {name: TEXT for name in PROMPT.slots}, "f00d"),
        reply_form(PROMPT.reply, PROMPT.lang, True, NONCE),
    ]
)
MESSAGES = [{"role": "user", "content": CONTENT}]
ASKED = Asked("en", 1, 10, PROMPT.anchor, nonce=NONCE)
READ = [fault for fault in FAULTS.values() if fault.where in ("body", "message", "verdict")]


def under(fault: Fault, form: str) -> tuple[str, str, object]:
    """Attempt status, row status and value under a fault."""
    desk = Desk(Profile({fault.name: 1.0}))
    asked = {"model": "rules-1", "messages": MESSAGES, "response_format": {"type": form}}
    reply = desk.answer(asked)
    assert reply.fault in (fault, NO_FAULT) and reply.body is not None
    response = read_response(reply.body, reply.status, CONTENT, False)
    if response.status != "ok":
        return response.status, response.status, None
    found = read(response.text or "", score_leaf, ASKED)
    return "ok", found.status, found.value


@pytest.mark.parametrize("form", ["json_schema", "text"])
@pytest.mark.parametrize("fault", READ, ids=lambda fault: fault.name)
def test_a_fault_ends_as_the_table_says(fault: Fault, form: str) -> None:
    right = {"score": draft("rules-1", MESSAGES, form).score}
    expected = fitting(fault, draft("rules-1", MESSAGES, form))
    attempt, row, value = under(fault, form)
    assert attempt == expected.attempt
    if expected.row == VALUE:
        assert (row in ("ok", "repaired"), value) == (True, right)
    else:
        assert (row, value) == (expected.row, None)


def test_json_takes_every_fault_of_a_verdict() -> None:
    written = draft("rules-1", MESSAGES, "json_schema")
    assert [fault for fault in READ if fitting(fault, written) is not fault] == []


def test_an_essay_is_no_verdict() -> None:
    prompt = load_prompts()["write_v1.en"]
    content = render(prompt, {"instruction": TEXT}, "f00d")
    essay = draft("rules-1", [{"role": "user", "content": content}], "text")
    assert all(fitting(fault, essay) is NO_FAULT for fault in READ if fault.where == "verdict")


def test_outcomes_are_statuses_of_the_project() -> None:
    with (files("towbench") / "schemas" / "tables" / "status.csv").open("r") as file:
        rows = [(row["list"], row["status"]) for row in csv.DictReader(file)]
    for fault in FAULTS.values():
        assert ("attempt", fault.attempt) in rows, fault
        assert fault.row == VALUE or ("row", fault.row) in rows, fault


def test_draws_are_seeded_and_near_their_rates() -> None:
    profile = Profile({"http_500": 0.1, "mixed": 0.2}, seed=3)
    drawn = [profile.fault(str(n), 1).name for n in range(4000)]
    assert drawn == [
        Profile({"http_500": 0.1, "mixed": 0.2}, 3).fault(str(n), 1).name for n in range(4000)
    ]
    assert 0.27 < sum(name != "none" for name in drawn) / 4000 < 0.33
    assert 0.08 < drawn.count("http_500") / 4000 < 0.13
    other = Profile({"http_500": 0.1, "mixed": 0.2}, seed=4)
    assert drawn != [other.fault(str(n), 1).name for n in range(4000)]
    assert len(set(drawn)) > 25


def test_models_that_refuse_json_schema_stay_the_same() -> None:
    profile = Profile({"json_schema_refused": 0.5})
    refusing = [profile.befalls("json_schema_refused", f"rules-1-{n}") for n in range(200)]
    assert 70 < sum(refusing) < 130
    assert refusing == [profile.befalls("json_schema_refused", f"rules-1-{n}") for n in range(200)]


@pytest.mark.parametrize(
    "text", ["http_430=0.1", "stall", "stall=much", "mixed=0.9,stall=0.4", "stall=-1"]
)
def test_wrong_rates_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match="fault"):
        Profile(parse_rates(text))


def test_the_list_names_every_fault() -> None:
    assert len(table_lines()) == len(FAULTS)
    assert json.loads(json.dumps(table_lines()))[0].startswith("http_429")
