"""SQL function `find_marks`: passages of a document that a model thinks a person should look at."""

from towbench.prompts import reply_schemas
from towbench.udfs.reply import Asked, Fault, Settled, Verdict

NAME = "find_marks"
REPLY = "marks_v1"

_LONGEST = 400


def is_verdict(verdict: Verdict, asked: Asked) -> bool:
    """An object with a list of marks."""
    return "marks" in verdict.fields


def settle(verdict: Verdict, asked: Asked) -> Settled:
    """`{"marks": [{"kind": …, "quote": …}]}`: known kinds, each passage once, in given order."""
    entry = reply_schemas()[REPLY]["properties"]["marks"]["items"]["properties"]
    kinds: list[str] = entry["kind"]["enum"]
    given = verdict.fields["marks"]
    if not isinstance(given, list) or not all(isinstance(one, dict) for one in given):
        raise Fault("unparsable", "marks is no list of objects")
    marks: list[dict[str, str]] = []
    for one in given:
        mark = Verdict(one, verdict.repairs)
        kind = mark.text("kind").casefold()
        if kind not in kinds:
            raise Fault("unparsable", f"unknown={kind[:80]}")
        found = {"kind": kind, "quote": mark.text("quote")[:_LONGEST]}
        if found not in marks:
            marks.append(found)
    return Settled({"marks": marks}, verdict.rationale())
