"""SQL function `back_construct`: what a writer would have to be told to write a document."""

from towbench.udfs.reply import Asked, Fault, Settled, Verdict

NAME = "back_construct"
REPLY = "construct_v1"

_COLON = {"zh": "：", "en": ": "}


def is_verdict(verdict: Verdict, asked: Asked) -> bool:
    """An object with a summary."""
    return "summary" in verdict.fields


def settle(verdict: Verdict, asked: Asked) -> Settled:
    """`{"summary": …, "theme": …, "traits": …}`; traits are lines `name: text` in asked order.

    A name may have several entries (characters), every asked name has at least one.
    """
    entries = [(name, entry.text("text")) for name, entry in verdict.named("traits", "text")]
    names = {name for name, _ in entries}
    if missing := [name for name in asked.dimensions if name not in names]:
        raise Fault("unparsable", f"missing={missing[0]}")
    if unknown := names - set(asked.dimensions):
        raise Fault("unparsable", f"unknown={min(unknown)}")
    colon = _COLON[asked.lang]
    entries.sort(key=lambda entry: asked.dimensions.index(entry[0]))
    lines = [f"{name}{colon}{text}" for name, text in entries]
    value: dict[str, object] = {
        "summary": verdict.text("summary"),
        "theme": verdict.text("theme"),
        "traits": "\n".join(lines),
    }
    return Settled(value, None)
