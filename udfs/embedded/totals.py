"""Totals of the rule judge: one score, a rubric, a plan of its own; all made of its leaves' scores.

It reads no rubric: a dimension gets the mean of the leaves that its name points to.
"""

import json
import re
from collections.abc import Callable, Sequence
from statistics import fmean
from typing import Final

from towbench.udfs.embedded.judge import LEAVES, judge
from towbench.udfs.embedded.negotiator import negotiate

Total = Callable[[str, str, str, str, Sequence[str]], str]
"""instruction, reference, text, lang, dimensions asked for -> reply"""

# Which leaves answer for a dimension; one whose name says nothing here is answered by all.
_ANSWERED_BY: Final[dict[str, re.Pattern[str]]] = {
    "opening_ending": re.compile("structure|form|complete"),
    "language_rhetoric": re.compile("language|style|clarity|tone|readab"),
    "instance": re.compile("evidence|accuracy|authentic|depth|culture"),
    "logic": re.compile("logic|argument|structure|persuasion"),
    "emotion": re.compile("emotion|effect|tone|occasion"),
    "plot": re.compile("plot|narrative|character|theme"),
}
_PLANNED: Final = ("opening_ending", "language_rhetoric", "logic", "emotion")


def single(
    instruction: str, reference: str, text: str, lang: str, dimensions: Sequence[str]
) -> str:
    """`{"score": mean of the leaves, "reason": …}`."""
    scores = _leaf_scores(instruction, reference, text, lang)
    return _json({"score": _mean(list(scores.values())), "reason": _reason(scores)})


def elaborated(
    instruction: str, reference: str, text: str, lang: str, dimensions: Sequence[str]
) -> str:
    """`{"dimensions": [{"name", "score", "reason"}], "total": mean of the leaves, "reason": …}`."""
    scores = _leaf_scores(instruction, reference, text, lang)
    rated = []
    for name in dimensions:
        own = {leaf: scores[leaf] for leaf, cue in _ANSWERED_BY.items() if cue.search(name)}
        own = own or scores
        rated.append({"name": name, "score": _mean(list(own.values())), "reason": _reason(own)})
    total = _mean(list(scores.values()))
    return _json({"dimensions": rated, "total": total, "reason": _reason(scores)})


def auto_plan(
    instruction: str, reference: str, text: str, lang: str, dimensions: Sequence[str]
) -> str:
    """`{"dimensions": [{"name", "share", "score", "reason"}], "total": their sum, "reason": …}`."""
    scores = _leaf_scores(instruction, reference, text, lang)
    plan = json.loads(negotiate(instruction, _PLANNED))
    rated = [
        {"name": name, "share": share, "score": scores[name], "reason": "Mean of ramps, gated."}
        for name, share in plan["weights"].items()
    ]
    total = round(sum(share * scores[name] for name, share in plan["weights"].items()), 2)
    return _json({"dimensions": rated, "total": total, "reason": plan["reason"]})


TOTALS: Final[dict[str, Total]] = {
    "single": single,
    "elaborated": elaborated,
    "auto_plan": auto_plan,
}


def _leaf_scores(instruction: str, reference: str, text: str, lang: str) -> dict[str, float]:
    replies = {leaf: judge(leaf, instruction, reference, text, lang) for leaf in LEAVES}
    return {leaf: float(json.loads(reply)["score"]) for leaf, reply in replies.items()}


def _mean(scores: Sequence[float]) -> float:
    return round(fmean(scores), 2)


def _reason(scores: dict[str, float]) -> str:
    return "Mean of " + ", ".join(f"{leaf} {score:g}" for leaf, score in scores.items()) + "."


def _json(reply: dict[str, object]) -> str:
    return json.dumps(reply, ensure_ascii=False)
