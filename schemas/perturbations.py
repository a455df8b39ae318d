"""The perturbations by name: which are made by rule, which by a model, and what attacks write.

`<name>:matched` is the same damage brought to the length of the text it was made from, so that what
a score loses is not lost to length. A name before a colon stands for all that begin with it.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from importlib.resources import files
from typing import Any, Final, NamedTuple

import yaml

LENGTHS: Final = ("drop", "repeat", "truncate", "pad")
"""Damages that change how long a text is; each has a matched twin."""
RULES: Final = (
    *LENGTHS,
    *(f"{name}:matched" for name in LENGTHS),
    "shuffle_words",
    "shuffle_sentences",
    "shuffle_paragraphs",
    "prompt_copy",
)
CALLS: Final = {
    "transfer:comment": "transfer_comment",
    "transfer:letter": "transfer_letter",
    "transfer:official": "transfer_official",
    "transfer:poem": "transfer_poem",
    "paraphrase": "paraphrase",
}
"""Perturbation -> task of the prompt that a model makes it with."""


class Attack(NamedTuple):
    """What an attack writes into a text (`schemas/attacks.yaml` says what each field means)."""

    place: str
    hide: str | None
    is_broken: bool
    texts: dict[str, str]


@cache
def attacks() -> dict[str, Attack]:
    """Attacks by name, without `attack:`."""
    return {
        name: Attack(
            entry["place"],
            entry.get("hide"),
            entry["broken"],
            {lang: entry[lang] for lang in ("zh", "en")},
        )
        for name, entry in _texts()["attacks_v1"].items()
    }


def padding(lang: str) -> tuple[str, ...]:
    """Sentences in `zh` or `en` that say nothing."""
    return tuple(_texts()["padding_v1"][lang])


def expand(names: Iterable[str]) -> tuple[str, ...]:
    """Names of perturbations for names and groups of them (`transfer`, `attack`), each once.

    Raises:
        ValueError: a name that is neither; the message lists what there is.
    """
    known = (*RULES, *CALLS, *(f"attack:{name}" for name in attacks()))
    chosen: list[str] = []
    for name in names:
        found = [name] if name in known else [one for one in known if one.startswith(f"{name}:")]
        if not found:
            raise ValueError(f"unknown {name!r}; known: transfer, attack, {', '.join(known)}")
        chosen += found
    return tuple(dict.fromkeys(chosen))


@cache
def _texts() -> Any:
    text = (files("towbench.schemas") / "attacks.yaml").read_text("utf-8")
    return yaml.load(text, Loader=yaml.CSafeLoader)
