"""Texts that a page holds but shows only when its scripts run (pure): veiled elements, templates,
text fields, and strings in its scripts (JSON-LD, the state of an app)."""

import json
import re
from collections.abc import Iterable, Iterator
from html import escape, unescape
from typing import Final
from urllib.parse import unquote

from lxml import etree

from towbench.ingest.page_lines import is_veiled, parse

_MIN_TEXT: Final = 200
_MIN_VEILED: Final = 100
_TAG: Final = re.compile(r"<(?:p|br|div|section|span|h\d|li)\b[^<>]*>", re.IGNORECASE)
# A quote after a backslash opens nothing: it would be looked at again for every unclosed string.
_STRING: Final = re.compile(
    r'(?<!\\)(?:"((?:[^"\\\n]|\\.)*+)"' r"|'((?:[^'\\\n]|\\.)*+)'" r"|`((?:[^`\\]|\\.)*+)`)",
    re.DOTALL,
)
_ESCAPE: Final = re.compile(r'\\x([0-9a-fA-F]{2})|\\(.)|"', re.DOTALL)
_SENTENCE: Final = re.compile(r"[。！？]|[a-z][.!?](?=[\s<\"”]|$)")
# Elements that may be veiled; looking at all others would take as long as reading the page.
_VEILABLE: Final = "descendant-or-self::*[@hidden or @style]"
_READ: Final = ".//text()[not(parent::script or parent::style or parent::a)]"
# Veils in veils, strings in strings: more than these are made to keep a reader busy.
_DEPTH: Final = 3


def reveal(place: etree._Element) -> bool:
    """Shows the veiled elements in a place that hold sentences; says whether there are any."""
    within: list[etree._Element] = []
    veiled = []
    for element in filter(is_veiled, place.xpath(_VEILABLE)):
        above = set(element.iterancestors())
        within = [outer for outer in within if outer in above]
        if len(within) < _DEPTH and _is_prose("".join(element.xpath(_READ))):
            veiled.append(element)
        within.append(element)
    for element in veiled:
        for name in {"hidden", "style"} & set(element.attrib):
            del element.attrib[name]
    return bool(veiled)


def _is_prose(text: str) -> bool:
    return len(text) >= _MIN_VEILED and len(_SENTENCE.findall(text)) > 2


def embedded_texts(root: etree._Element) -> Iterator[etree._Element]:
    """Trees of what the page holds as data, each worth a look; any may be no article."""
    for element in root.iter("noscript", "template"):
        if len("".join(element.itertext())) >= _MIN_TEXT:
            yield element
    for element in root.iter("textarea", "script"):
        text = "".join(element.itertext())
        if len(text) < _MIN_TEXT:
            continue
        texts: Iterable[str] = [text]
        if element.tag == "script" and not text.lstrip().startswith("<"):
            texts = _strings(unquote(text) if text.startswith("%7B") else text, _DEPTH)
        yield from (_tree(text) for text in texts if _is_prose(unescape(text)))


def _strings(code: str, depth: int) -> Iterator[str]:
    """The long strings of a script, JSON within strings included."""
    for found in _STRING.finditer(code):
        raw = next(group for group in found.groups() if group is not None)
        if len(raw) < _MIN_TEXT:
            continue
        text = _unescaped(raw)
        if depth and text.lstrip().startswith(("{", "[")):
            yield from _strings(text, depth - 1)
        else:
            yield text


def _unescaped(raw: str) -> str:
    try:
        return str(json.loads(f'"{_ESCAPE.sub(_as_json, raw)}"', strict=False))
    except ValueError:
        return raw


def _as_json(found: re.Match[str]) -> str:
    """An escape of a script as JSON knows it; scripts may escape anything."""
    code, char = found.groups()
    if code:
        return rf"\u00{code}"
    if char and char not in '"\\/bfnrtu':
        return str(char)
    return found[0] if char else r"\""


def _tree(text: str) -> etree._Element:
    """Html, escaped html or plain text as a tree."""
    if not _TAG.search(text):
        text = unescape(text)
    if not _TAG.search(text):
        text = "".join(f"<p>{escape(line)}</p>" for line in text.splitlines())
    return parse(f"<div>{text}</div>")
