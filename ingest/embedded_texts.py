"""Texts that a page holds but shows only when its scripts run (pure): veiled elements, templates,
text fields, and strings in its scripts (JSON-LD, the state of an app)."""

import json
import re
from collections.abc import Iterator
from html import escape, unescape
from typing import Final
from urllib.parse import unquote

from lxml import etree

from towbench.ingest.page_lines import is_veiled, parse

_MIN_TEXT: Final = 200
_MIN_VEILED: Final = 100
_TAG: Final = re.compile(r"<(?:p|br|div|section|span|h\d|li)\b[^<>]*>", re.IGNORECASE)
_STRING: Final = re.compile(
    r'"((?:[^"\\\n]|\\.)*)"' r"|'((?:[^'\\\n]|\\.)*)'" r"|`((?:[^`\\]|\\.)*)`", re.DOTALL
)
_HEX: Final = re.compile(r"\\x([0-9a-fA-F]{2})")
_NOT_JSON: Final = re.compile(r"\\(?![\"\\/bfnrtu])")
_SENTENCE: Final = re.compile(r"[。！？]|[a-z][.!?]\s")
_READ: Final = ".//text()[not(ancestor::script or ancestor::style or ancestor::a)]"
_DEPTH: Final = 3


def reveal(root: etree._Element) -> bool:
    """Shows the veiled elements of a tree that hold sentences; says whether there are any."""
    veiled = [
        element
        for element in root.iter(etree.Element)
        if is_veiled(element) and _is_prose("".join(element.xpath(_READ)))
    ]
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
        if element.tag == "textarea" or text.lstrip().startswith("<"):
            yield _tree(text)
        else:
            code = unquote(text) if text.startswith("%7B") else text
            yield from map(_tree, _strings(code, _DEPTH))


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
    code = _NOT_JSON.sub("", _HEX.sub(r"\\u00\1", raw))
    code = re.sub(r'(?<!\\)((?:\\\\)*)"', r'\1\\"', code)
    try:
        return str(json.loads(f'"{code}"', strict=False))
    except ValueError:
        return raw


def _tree(text: str) -> etree._Element:
    """Html, escaped html or plain text as a tree."""
    if not _TAG.search(text):
        text = unescape(text)
    if not _TAG.search(text):
        text = "".join(f"<p>{escape(line)}</p>" for line in text.splitlines())
    return parse(f"<div>{text}</div>")
