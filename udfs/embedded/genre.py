"""The rule genre classifier: form cues name functional genres, word densities creative ones."""

import json
import re
from typing import Final, NamedTuple

from towbench.udfs.embedded.data import load
from towbench.udfs.embedded.segment import letter_count, paragraphs_of

_FICTION: Final = "Creative - Fiction"
_POETRY: Final = "Creative - Poetry"
_OTHER: Final = "Functional - Other"
LABELS: Final = (
    _FICTION,
    _POETRY,
    "Creative - Prose",
    "Creative - Essay",
    "Creative - Argumentative",
    "Functional - Report",
    "Functional - Summary",
    "Functional - Letter",
    "Functional - Application",
    "Functional - Speech",
    "Functional - Delivery",
    "Functional - Plan",
    "Functional - Contract",
    "Functional - Official",
    _OTHER,
)
# A form cue outweighs any number of topic words.
_FORM: Final = 1.6


class Cue(NamedTuple):
    """Evidence for a label: `weight` if the pattern occurs `least` times in a part of the text.

    Parts: title (a short first line), head, tail, body (the whole).
    """

    label: str
    weight: float
    part: str
    pattern: re.Pattern[str]
    least: int


class Density(NamedTuple):
    """Evidence that grows with the hits per 1,000 letters (en 4,000), up to `cap` of them."""

    label: str
    weight: float
    pattern: re.Pattern[str]
    cap: float


class Evidence(NamedTuple):
    """What speaks for a label, how much, and what it is."""

    label: str
    weight: float
    what: str


_RULES: Final = load("genre_1")
_CUES: Final = {
    lang: tuple(
        Cue(label, weight, part, re.compile(pattern, re.MULTILINE), least)
        for label, weight, part, pattern, least in rules["cues"]
    )
    for lang, rules in _RULES.items()
}
_DENSITIES: Final = {
    lang: tuple(
        Density(label, weight, re.compile(pattern, re.MULTILINE), cap)
        for label, weight, pattern, cap in rules["densities"]
    )
    for lang, rules in _RULES.items()
}


def classify(text: str, lang: str) -> str:
    """`{"label": one of LABELS, "reason": the evidence that decided}`.

    `Essay` and `Delivery` are never given: nothing in a text tells them from `Argumentative` and
    `Speech`.
    """
    evidence = _verse(text) or [*_form(text, lang), *_density(text, lang)]
    totals = dict.fromkeys(LABELS, 0.0)
    for item in evidence:
        totals[item.label] += item.weight
    best = max(totals, key=lambda label: totals[label])
    if totals[best] < 1.0:
        best = _OTHER
    own = sorted((item for item in evidence if item.label == best), key=lambda item: -item.weight)
    shown = ", ".join(f"{item.what} {item.weight:.1f}" for item in own[:3])
    reason = f"Decided by {shown}." if shown else "No genre cue was found."
    return json.dumps({"label": best, "reason": reason}, ensure_ascii=False)


def _verse(text: str) -> list[Evidence]:
    """Short lines, most of them without a full stop, are verse; a form has blanks and colons."""
    lines = paragraphs_of(text)
    if len(lines) < 6:
        return []
    sizes = sorted(letter_count(line) for line in lines)
    latin = sum(map(str.isascii, text)) > len(text) / 2
    short = sizes[len(sizes) // 2] <= (42 if latin else 20)
    short = short and sizes[len(sizes) * 9 // 10] <= (60 if latin else 34)
    stopped = sum(line[-1] in "。：:；;_" for line in lines) / len(lines)
    blanks = text.count("__") + sum(line[-1] in ":：" for line in lines)
    if short and stopped < 0.45 and blanks < 4:
        return [Evidence(_POETRY, 9.0, "short lines")]
    return []


def _form(text: str, lang: str) -> list[Evidence]:
    lines = paragraphs_of(text)
    body = "\n".join(lines)
    size = 160 if lang == "zh" else 320
    title = lines[0] if letter_count(lines[0]) <= 45 else ""
    parts = {"title": title, "head": body[:size], "tail": body[-3 * size // 4 :], "body": body}
    found = []
    for cue in _CUES[lang]:
        hits = [match.group() for match in cue.pattern.finditer(parts[cue.part])]
        if len(hits) >= cue.least:
            what = f"{cue.part} cue “{hits[0].strip()[:16]}”"
            found.append(Evidence(cue.label, _FORM * cue.weight, what))
    return found


def _density(text: str, lang: str) -> list[Evidence]:
    letters = max(letter_count(text), 1)
    # An English text has about four times the letters of a Chinese one that says the same.
    full = 3000 if lang == "zh" else 12_000
    length = min(max(2 * (letters - full) / full, -1.2), 2.0)
    found = [Evidence(_FICTION, length, f"a length of {letters} letters")]
    for rule in _DENSITIES[lang]:
        hits = len(rule.pattern.findall(text))
        share = min(hits * full / 3 / letters, rule.cap)
        if hits:
            found.append(Evidence(rule.label, rule.weight * share, f"{hits} telling words"))
    return found
