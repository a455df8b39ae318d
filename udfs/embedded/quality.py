"""The rule quality filter: 1-5 per rubric dimension and overall, from the faults a text shows."""

import json
import re
from collections.abc import Sequence
from typing import Final, NamedTuple

from towbench.udfs.embedded import lexicon
from towbench.udfs.embedded.features import profile


class Fault(NamedTuple):
    """A fault's name, its weight here (0 none, 1 clear, 2 and more grave) and what shows it."""

    name: str
    weight: float
    evidence: str


# What each group of dimension names answers for; a dimension outside them answers for everything.
_SCOPE: Final[dict[str, tuple[str, ...]]] = {
    "language": ("repetition", "stock phrases", "poor wording", "advertising", "word order"),
    "structure": ("cut off", "one blob", "repetition", "too short"),
    "content": ("stock phrases", "repetition", "advertising", "too short", "poor wording"),
}
_GROUPS: Final[dict[str, re.Pattern[str]]] = {
    "language": re.compile(
        "language|style|rhetoric|wording|expression|语言|文采|修辞|表达|用词|文笔"
    ),
    "structure": re.compile("structure|format|plot|layout|complete|结构|格式|情节|完整|条理|布局"),
    "content": re.compile(
        "content|theme|original|idea|character|emotion|内容|主题|创|立意|人物|情感"
    ),
}


def rate(text: str, lang: str, dimensions: Sequence[str]) -> str:
    """`{"dimensions": [{"name", "score", "reason"}], "overall": 1-5, "reason": ...}`."""
    faults = find_faults(text, lang)
    rated = [_dimension(name, faults) for name in dimensions]
    overall = _score(faults)
    reply = {"dimensions": rated, "overall": overall, "reason": _reason(faults)}
    return json.dumps(reply, ensure_ascii=False)


def find_faults(text: str, lang: str) -> list[Fault]:
    """The faults of a text, gravest first."""
    own = profile(text, lang)
    letters = own.reading.letters
    stats = {
        **own.stats,
        "letters": float(letters),
        "stock_k": 1000 * len(lexicon.STOCK_PHRASES[lang].findall(text)) / letters,
        "advert_k": 1000 * len(lexicon.ADVERTISING[lang].findall(text)) / letters,
    }
    # An English text has about three times the letters of a Chinese one that says the same.
    per_letter = 1.0 if lang == "zh" else 3.0
    blob = stats["longest_paragraph"] / (900 * per_letter)
    measured = [
        Fault(
            "repetition",
            max((stats["repeat_short"] - 0.06) / 0.05, (stats["twice"] - 0.03) / 0.05),
            "repeat_short",
        ),
        Fault("stock phrases", stats["stock_k"] * per_letter / 5 - 0.6, "stock_k"),
        Fault("advertising", stats["advert_k"] * per_letter / 4 - 0.6, "advert_k"),
        Fault("cut off", 0.0 if stats["ends_whole"] else 1.2, "ends_whole"),
        Fault(
            "one blob",
            1.2 if blob > 1 or (stats["paragraphs"] < 2 and blob > 0.4) else 0.0,
            "longest_paragraph",
        ),
        Fault("poor wording", (0.72 - stats["diversity"]) / 0.04, "diversity"),
        Fault("word order", (0.05 - stats["word_order"]) / 0.05, "word_order"),
        Fault("too short", 1.2 if letters < 120 * per_letter else 0.0, "letters"),
    ]
    found = [
        fault._replace(evidence=f"{fault.evidence} {stats[fault.evidence]:.3g}")
        for fault in measured
        if fault.weight > 0.25
    ]
    return sorted(found, key=lambda fault: (-fault.weight, fault.name))


def _score(faults: Sequence[Fault]) -> int:
    """5 without a fault, 4 with slight ones, 3 with one clear fault, 2 and 1 as they add up."""
    total = sum(min(fault.weight, 2.5) for fault in faults)
    for score, limit in ((5, 0.25), (4, 0.9), (3, 2.0), (2, 3.5)):
        if total < limit:
            return score
    return 1


def _dimension(name: str, faults: Sequence[Fault]) -> dict[str, str | int]:
    groups = [group for group, cue in _GROUPS.items() if cue.search(name.lower())]
    scope = {fault for group in groups for fault in _SCOPE[group]}
    own = [fault for fault in faults if not groups or fault.name in scope]
    return {"name": name, "score": _score(own), "reason": _reason(own)}


def _reason(faults: Sequence[Fault]) -> str:
    listed = "; ".join(f"{fault.name} ({fault.evidence})" for fault in faults)
    return f"Faults: {listed}." if listed else "No fault found by the text statistics."
