"""The offline models, `embedded/<name>`: deterministic rules over text statistics, zh and en.

`rules-1` judges, negotiates, classifies, filters and back-constructs; the writers are named in
`writers.WRITERS`; `ngrams-1` embeds. Every answer has the reply form that a language model is asked
for.
"""

import json
from collections.abc import Mapping

from towbench.ingest.marks import mark_text
from towbench.udfs.embedded import embedder
from towbench.udfs.embedded.constructor import construct
from towbench.udfs.embedded.genre import classify
from towbench.udfs.embedded.judge import RANGES, judge
from towbench.udfs.embedded.negotiator import negotiate
from towbench.udfs.embedded.quality import rate
from towbench.udfs.embedded.segment import has_letters
from towbench.udfs.embedded.totals import TOTALS
from towbench.udfs.embedded.writers import WRITERS

__all__ = ["NothingToScore", "UnknownModel", "answer"]

_LEAST_LETTERS = 20


class NothingToScore(ValueError):
    """The text has fewer than 20 letters or Han characters."""


class UnknownModel(ValueError):
    """No embedded model has this name, or it does not do this task."""


def answer(model: str, task: str, lang: str, slots: Mapping[str, str]) -> str:
    """The reply text of an embedded model.

    Args:
        model: the part after `embedded/`: `rules-1`, `ngrams-1` for the task `embed`, or a writer's
            name for the task `write`.
        task: a leaf name, `single`, `elaborated`, `auto_plan`, `negotiate`, `genre`, `quality`,
            `construct`, `marks`, `embed` or `write`.
        lang: `zh` or `en`.
        slots: what the prompt would show: instruction, reference, text, dimensions.

    Raises:
        NothingToScore: the text is too short to be judged.
        UnknownModel: no such model, or not for this task.
    """
    if task == "write" and model in WRITERS:
        return WRITERS[model](slots["instruction"], slots["reference"], lang)
    if model != (embedder.MODEL if task == "embed" else "rules-1"):
        raise UnknownModel(f"no embedded model {model!r} for the task {task!r}")
    lines = slots.get("dimensions", "").splitlines()
    dimensions = [name for line in lines if (name := line.strip())]
    if task == "negotiate":
        return negotiate(slots["instruction"], dimensions)
    text = slots["text"]
    if not has_letters(text, _LEAST_LETTERS):
        raise NothingToScore("under 20 letters or Han characters")
    if task == "embed":
        return embedder.reply(text)
    if task in RANGES:
        return judge(task, slots.get("instruction", ""), slots.get("reference", ""), text, lang)
    if task in TOTALS:
        texts = (slots.get("instruction", ""), slots.get("reference", ""), text)
        return TOTALS[task](*texts, lang, dimensions)
    if task == "genre":
        return classify(text, lang)
    if task == "quality":
        return rate(text, lang, dimensions)
    if task == "construct":
        return construct(text, lang, dimensions)
    if task == "marks":
        return _marks(text)
    raise UnknownModel(f"embedded model {model!r} has no task {task!r}")


def _marks(text: str) -> str:
    found = [
        {"kind": mark.kind.split("_")[0], "quote": text[mark.start : mark.end]}
        for mark in mark_text(text)
    ]
    return json.dumps({"reason": f"{len(found)} by rule.", "marks": found}, ensure_ascii=False)
