"""Rule-made damages of a text, which a fair judge marks down (HoWToBench 6.2, Table 7).

A damage changes what its name says and nothing else: lines that stay keep their indents and the
blank lines between them. It returns None where the text leaves it nothing to do.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import islice
from typing import Final

import rjieba

from towbench.schemas.perturbations import Attack, padding
from towbench.udfs.embedded.segment import letter_count, sentences_of

MOST: Final = 3
"""Paragraphs or sentences that are dropped, repeated or added at most."""

Draw = random.Random
Damage = Callable[[str, str, Draw], str | None]
"""(text, lang `zh` or `en`, draw) -> damaged text"""

_GAP: Final = re.compile(r"((?:[^\S\n]*\n)+)")
_INDENT: Final = re.compile(r"\s*")
_LETTER: Final = re.compile(r"[^\W\d_]")
_TAGS_AT: Final = 0xE0000
_RLO, _PDF, _ZWSP = "\u202e", "\u202c", "\u200b"


def drop(text: str, lang: str, draw: Draw) -> str | None:
    """Without one to three paragraphs, of a single paragraph without as many sentences."""
    units, gaps = _units(text, lang)
    if len(units) < 2:
        return None
    for _ in range(min(draw.randint(1, MOST), len(units) - 1)):
        place = draw.randrange(len(units))
        del units[place], gaps[min(place, len(gaps) - 1)]
    return _joined(units, gaps)


def repeat(text: str, lang: str, draw: Draw) -> str | None:
    """With one to three paragraphs (of a single one: sentences) once more somewhere else."""
    units, gaps = _units(text, lang)
    gap = _usual(gaps)
    for unit in draw.sample(units, min(draw.randint(1, MOST), len(units))):
        units.insert(draw.randrange(len(units) + 1), unit)
        gaps.append(gap)
    return _joined(units, gaps)


def truncate(text: str, lang: str, draw: Draw) -> str | None:
    """The first half by characters, wherever that breaks off."""
    whole = text.rstrip()
    return whole[: len(whole) // 2].rstrip() or None


def pad(text: str, lang: str, draw: Draw) -> str | None:
    """With three sentences that say nothing, as paragraphs of their own between the others."""
    lines, gaps = _lines(text)
    gap = _usual(gaps)
    for sentence in draw.sample(padding(lang), MOST):
        lines.insert(draw.randrange(len(lines) + 1), sentence)
        gaps.append(gap)
    return _joined(lines, gaps)


def shuffle_words(text: str, lang: str, draw: Draw) -> str | None:
    """The words and marks of every paragraph in another order."""
    lines, gaps = _lines(text)
    shuffled = []
    for line in lines:
        words = rjieba.cut(line) if lang == "zh" else line.split()
        order = _reordered([word for word in words if word.strip()], draw)
        shuffled.append(_indent(line) + _glue(lang).join(order))
    return _joined(shuffled, gaps)


def shuffle_sentences(text: str, lang: str, draw: Draw) -> str | None:
    """The sentences in another order; every paragraph has as many as before."""
    lines, gaps = _lines(text)
    found = [sentences_of(line, lang) for line in lines]
    places = iter(_reordered([sentence for line in found for sentence in line], draw))
    shuffled = [
        _indent(line) + _glue(lang).join(next(places) for _ in sentences)
        for line, sentences in zip(lines, found, strict=True)
    ]
    return _joined(shuffled, gaps)


def shuffle_paragraphs(text: str, lang: str, draw: Draw) -> str | None:
    """The paragraphs in another order."""
    lines, gaps = _lines(text)
    return _joined(_reordered(lines, draw), gaps)


DAMAGES: Final[dict[str, Damage]] = {
    "drop": drop,
    "repeat": repeat,
    "truncate": truncate,
    "pad": pad,
    "shuffle_words": shuffle_words,
    "shuffle_sentences": shuffle_sentences,
    "shuffle_paragraphs": shuffle_paragraphs,
}


def matched(damaged: str, text: str, lang: str, draw: Draw) -> str:
    """`damaged` cut, or followed by idle sentences, to as many letters as `text` has."""
    wanted = letter_count(text)
    idle = list(padding(lang))
    draw.shuffle(idle)
    n = 0
    while letter_count(damaged) < wanted:
        damaged += ("\n\n" if n == 0 else _glue(lang)) + idle[n % len(idle)]
        n += 1
    return _first_letters(damaged, wanted)


def plant(text: str, lang: str, attack: Attack) -> str:
    """The text with an attack's order before or after it."""
    order = _hidden(attack.texts[lang], attack.hide)
    body = text.strip("\n")
    return f"{order}\n\n{body}" if attack.place == "first" else f"{body}\n\n{order}"


def _hidden(order: str, hide: str | None) -> str:
    match hide:
        case None:
            return order
        case "zero_width":
            return _ZWSP.join(order)
        case "bidi":
            return f"{_RLO}{order[::-1]}{_PDF}"
        case "tags":
            return "".join(chr(_TAGS_AT + ord(char)) for char in order)
    raise ValueError(f"unknown way to hide a text: {hide!r}")


def _lines(text: str) -> tuple[list[str], list[str]]:
    """The non-empty lines of a text and what stands between them."""
    parts = _GAP.split(text.rstrip())
    if not parts[0].strip():
        parts = parts[2:] or parts
    return parts[::2], parts[1::2]


def _units(text: str, lang: str) -> tuple[list[str], list[str]]:
    """The paragraphs, or the sentences of a text that is one paragraph, with their gaps."""
    lines, gaps = _lines(text)
    if len(lines) > 1:
        return lines, gaps
    sentences = list(sentences_of(text, lang))
    return sentences, [_glue(lang)] * (len(sentences) - 1)


def _joined(units: Sequence[str], gaps: Sequence[str]) -> str:
    pairs = zip(units, [*gaps, ""], strict=True)
    return "".join(unit + gap for unit, gap in pairs)


def _usual(gaps: Sequence[str]) -> str:
    """The gap that a text has most often."""
    return Counter(gaps).most_common(1)[0][0] if gaps else "\n\n"


def _reordered(units: Sequence[str], draw: Draw) -> list[str]:
    """The units in another order, if there is one that differs."""
    order = list(units)
    while len(set(units)) > 1 and order == list(units):
        draw.shuffle(order)
    return order


def _first_letters(text: str, n: int) -> str:
    """The text up to its n-th letter."""
    found = next(islice(_LETTER.finditer(text), n - 1, None), None) if n else None
    return text[: found.end()] if found else text


def _indent(line: str) -> str:
    found = _INDENT.match(line)
    return found.group() if found else ""


def _glue(lang: str) -> str:
    return "" if lang == "zh" else " "
