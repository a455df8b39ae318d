"""Thoughts that leak into a reply: what is left of it when they are taken out."""

from __future__ import annotations

import re

from towbench.ingest.thought import split_thought
from towbench.udfs.loose_json import Cut, objects

_NAMES = "think|thinking|thought|thoughts|reasoning|reflection"
_TAG = re.compile(rf"<(/?)(?:{_NAMES})\s*>|\[(/?)(?:{_NAMES})\]", re.I)


def strip_thought(text: str, is_prose: bool) -> str | None:
    """The answer proper of a reply, or None when a thought was opened and never closed.

    A pair is cut out; a closing tag alone ends a thought that began with the reply (some servers
    send only that). A tag quoted inside a JSON object is part of the answer.

    Args:
        is_prose: the answer is an essay, in which only a leading thought is one.
    """
    if is_prose:
        answer, _, is_closed = split_thought(text)
        return answer if is_closed else None
    if not any(mark in text for mark in "<[") or not (tags := list(_TAG.finditer(text))):
        return text
    spans = _object_spans(text)
    parts: list[str] = []
    start, inside = 0, False
    for tag in tags:
        if any(low <= tag.start() < high for low, high in spans):
            continue
        is_closing = bool(tag[1] or tag[2])
        if not is_closing and not inside:
            parts.append(text[start : tag.start()])
        elif is_closing and not inside:
            parts.clear()
        inside = not is_closing
        start = tag.end()
    if inside:
        return None
    return "".join([*parts, text[start:]]).strip()


def _object_spans(text: str) -> list[tuple[int, int]]:
    spans: list[tuple[int, int]] = []
    try:
        spans.extend((found.start, found.end) for found in objects(text))
    except Cut as cut:
        # Not closed: it may be a brace inside the thought itself, so nothing in it is protected.
        return [span for span in spans if span[1] <= cut.args[0]]
    return spans
