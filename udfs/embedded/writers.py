"""Candidate writers: transformations of the reference in a known order of quality.

drop-paragraph > lead-half > shuffle-words > prompt-copy.
"""

import hashlib
import random
from collections.abc import Callable
from typing import Final

from towbench.udfs.embedded.segment import EDGE, letter_count, paragraphs_of, sentences_of, tokenize


def drop_paragraph(instruction: str, reference: str, lang: str) -> str:
    """The reference without its middle paragraph (of two the shorter one).

    Of a single paragraph the last third of the sentences is dropped.
    """
    lines = list(paragraphs_of(reference))
    if len(lines) > 2:
        del lines[len(lines) // 2]
        return "\n\n".join(lines)
    if len(lines) == 2:
        return lines[0] if letter_count(lines[0]) >= letter_count(lines[1]) else lines[1]
    sentences = sentences_of(reference, lang)
    return _joined(sentences[: max(len(sentences) - max(len(sentences) // 3, 1), 1)], lang)


def lead_half(instruction: str, reference: str, lang: str) -> str:
    """The first half of the reference, cut at the last sentence end in it."""
    half = letter_count(reference) / 2
    kept: list[str] = []
    taken = 0
    for line in paragraphs_of(reference):
        whole: list[str] = []
        for sentence in sentences_of(line, lang):
            taken += letter_count(sentence)
            if taken > half and (kept or whole):
                return "\n\n".join([*kept, _joined(whole, lang)]).strip()
            whole.append(sentence)
        kept.append(_joined(whole, lang))
    return "\n\n".join(kept)


def shuffle_words(instruction: str, reference: str, lang: str) -> str:
    """The words and marks of every paragraph in an order drawn from sha256 of the reference."""
    seed = hashlib.sha256(reference.encode("utf-8", "surrogatepass")).digest()
    draw = random.Random(seed)
    shuffled = []
    for line in paragraphs_of(reference):
        words = [token.word for token in tokenize(line, lang) if token is not EDGE]
        draw.shuffle(words)
        shuffled.append(("" if lang == "zh" else " ").join(words))
    return "\n\n".join(shuffled)


def prompt_copy(instruction: str, reference: str, lang: str) -> str:
    """The instruction handed back."""
    return instruction


WRITERS: Final[dict[str, Callable[[str, str, str], str]]] = {
    "drop-paragraph": drop_paragraph,
    "lead-half": lead_half,
    "shuffle-words": shuffle_words,
    "prompt-copy": prompt_copy,
}


def _joined(sentences: tuple[str, ...] | list[str], lang: str) -> str:
    return ("" if lang == "zh" else " ").join(sentences)
