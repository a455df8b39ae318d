"""SQL function `classify_genre`: the one genre label of a document."""

from towbench.prompts import reply_schemas
from towbench.udfs.reply import Asked, Fault, Settled, Verdict

NAME = "classify_genre"
REPLY = "genre_v1"


def is_verdict(verdict: Verdict, asked: Asked) -> bool:
    """An object that names a label."""
    return "label" in verdict.fields


def settle(verdict: Verdict, asked: Asked) -> Settled:
    """`{"label": …}`, one of the labels of the reply schema, whatever case it is written in."""
    labels: list[str] = reply_schemas()[REPLY]["properties"]["label"]["enum"]
    given = verdict.text("label")
    known = {label.casefold(): label for label in labels}.get(given.casefold())
    if known is None:
        raise Fault("unparsable", f"unknown={given[:80]}")
    return Settled({"label": known}, verdict.rationale())
