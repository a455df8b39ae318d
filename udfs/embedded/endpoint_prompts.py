"""Which prompt of the package a request shows, and what the embedded models answer to it."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any

from towbench.prompts import Prompt, load_prompts, render
from towbench.schemas.settings import PRESENTATIONS
from towbench.udfs import embedded
from towbench.udfs.embedded.writers import WRITERS

MODEL = "rules-1"
UNKNOWN_PROMPT = "This test double knows the prompts of towbench only."

_BLOCK = re.compile(r"^<<(\w+)\n(.*?)\n\1>>$", re.MULTILINE | re.DOTALL)
_PLACEHOLDER = re.compile(r"\{([a-z_]+)\}")
_NONCE = re.compile(r'\{"nonce": "(\w+)", ')
_GAP = "\0"
# What the embedded models call the tasks that are no leaves, by reply schema.
_TASKS = {
    "genre_v1": "genre",
    "quality_v1": "quality",
    "construct_v1": "construct",
    "marks_v1": "marks",
    "weights_v1": "negotiate",
    "rubric_scores_v1": "elaborated",
    "plan_v1": "auto_plan",
    "text": "write",
}
# Tokens of no real model: runs of six letters, three digits, two thirds of one a Han character.
_PIECE = re.compile(r"[^\W\d_一-鿿]{1,6}|\d{1,3}|[一-鿿]|[^\w\s]|_")
_BREAKS = re.compile(r"\n+")
_LONGEST_KEPT = 30
_HAN = re.compile(r"[一-鿿]")
_FRAME_TOKENS = 4


@dataclass(frozen=True, slots=True)
class Shown:
    """A prompt of the package as a request shows it, with the texts in its slots."""

    prompt: Prompt
    slots: Mapping[str, str]
    fence: str | None


@dataclass(frozen=True, slots=True)
class Draft:
    """An answer before any fault: its text, or why it is refused.

    Attributes:
        score: the score of a leaf, which faults of verdicts are made from.
        is_json: whether the text is one JSON object.
        nonce: the word that the prompt asks to repeat, which is in the text then.
    """

    text: str
    refusal: str | None = None
    shown: Shown | None = None
    score: float | None = None
    is_json: bool = False
    nonce: str | None = None

    @property
    def reason(self) -> str:
        """The judge's words, where a score was given as JSON or marked."""
        if self.is_json:
            return str(json.loads(self.text).get("reason", ""))
        return self.text.rpartition("[[")[0].strip() or self.text


def recognise(content: str) -> Shown | None:
    """The prompt that `content` was rendered from; None for any other text."""
    blocks = list(_BLOCK.finditer(content))
    skeleton = _BLOCK.sub(_GAP, content)
    for frame, prompt, names in _frames():
        if skeleton.startswith(frame):
            if len(blocks) < len(names):
                return None
            values = [block[2] for block in blocks]
            fence = blocks[0][1] if blocks else None
            return Shown(prompt, dict(zip(names, values, strict=False)), fence)
    return None


def draft(model: str, messages: Sequence[Mapping[str, Any]], form: str) -> Draft:
    """What an embedded model answers.

    Args:
        messages: of a chat completion; the first user message is the prompt, the system message
            (if any) may hold its beginning.
        form: `json_schema`, `json_object` or `text`: a leaf score is marked `[[n]]` in plain text.
    """
    prompt_text = first_prompt(messages)
    shown = recognise(prompt_text)
    if shown is None:
        return Draft(UNKNOWN_PROMPT)
    prompt = shown.prompt
    slots = dict(shown.slots)
    names = prompt.dimensions or _names(slots.get("dimensions", ""))
    slots["dimensions"] = "\n".join(names)
    if prompt.reply == "text":
        return Draft(_write(model, prompt.lang, slots), shown=shown)
    task = _TASKS.get(prompt.reply, prompt.task)
    try:
        reply = embedded.answer(MODEL, task, prompt.lang, slots)
    except embedded.NothingToScore as error:
        return Draft("", refusal=str(error), shown=shown)
    verdict = json.loads(reply)
    score = verdict.get("score")
    if score is not None and form == "text":
        return Draft(f"{verdict['reason']}\n\n[[{score}]]", shown=shown, score=score)
    # The last one: an earlier one stands in a text that is judged.
    nonce = next(iter(_NONCE.findall(prompt_text)[-1:]), None)
    if nonce:
        reply = json.dumps({"nonce": nonce, **verdict}, ensure_ascii=False)
    return Draft(reply, shown=shown, score=score, is_json=True, nonce=nonce)


def first_prompt(messages: Sequence[Mapping[str, Any]]) -> str:
    """System messages and the first user message as one text."""
    parts = []
    for message in messages:
        parts.append(content_text(message.get("content")))
        if message.get("role") == "user":
            break
    return "\n\n".join(parts)


def content_text(content: object) -> str:
    """A message's content, which may be a list of parts."""
    if isinstance(content, list):
        return "".join(str(part.get("text", "")) for part in content if isinstance(part, dict))
    return content if isinstance(content, str) else ""


def count_tokens(*texts: str) -> int:
    """Tokens as this endpoint counts them: its own measure, close to that of real tokenizers."""
    total = 0
    for text in texts:
        words = [
            _count_kept(word) if len(word) <= _LONGEST_KEPT else _count_pieces(word)
            for word in text.split()
        ]
        n_han = sum(han for _, han in words)
        n_piece = sum(other for other, _ in words) + len(_BREAKS.findall(text))
        # No text is counted under a token for seven bytes: long runs of blanks cost something too.
        total += max(n_piece + n_han * 2 // 3, len(text.encode("utf-8", "replace")) // 7)
    return total + _FRAME_TOKENS * len(texts)


def _count_pieces(word: str) -> tuple[int, int]:
    """Pieces of a word that are no Han characters, and those that are."""
    n_han = len(_HAN.findall(word))
    return len(_PIECE.findall(word)) - n_han, n_han


# Counting must not keep an instant endpoint busy: words come again and again.
_count_kept = lru_cache(2**16)(_count_pieces)


def _write(model: str, lang: str, slots: Mapping[str, str]) -> str:
    """A candidate; these writers transform a text, over the wire that can only be the task's."""
    instruction = slots.get("instruction") or slots.get("text", "")
    writer = WRITERS.get(model, WRITERS["lead-half"])
    return writer(instruction, instruction, lang) or instruction


def _names(lines: str) -> tuple[str, ...]:
    """Names in a list of dimensions: one a line, before the colon."""
    found = (line.replace("：", ":").partition(":")[0].strip() for line in lines.splitlines())
    return tuple(name for name in found if name)


@cache
def _frames() -> list[tuple[str, Prompt, tuple[str, ...]]]:
    """Every prompt's body with gaps for its slots, and their names in order; longest first."""
    frames: dict[str, tuple[Prompt, tuple[str, ...]]] = {}
    for prompt in load_prompts().values():
        if not prompt.slots or prompt.task.startswith(("reply_", "ask_again", "instruct_")):
            continue
        for presentation in PRESENTATIONS:
            same = {name: f"{{{name}}}" for name in prompt.slots}
            body = render(prompt, same, None, presentation)
            names = tuple(name for name in _PLACEHOLDER.findall(body) if name in prompt.slots)
            frames[_PLACEHOLDER.sub(_GAP, body)] = (prompt, names)
    found = [(frame, prompt, names) for frame, (prompt, names) in frames.items()]
    return sorted(found, key=lambda one: -len(one[0]))
