"""JSON objects inside a model's reply: strict where it is strict, else read with named repairs.

Only structure is normalised (quotes, colons, commas, brackets and digits outside strings, comments,
trailing commas, raw line breaks, quotes left unescaped inside a string); the words stay as written.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import NamedTuple

_WIDE = str.maketrans("｛｝［］：，＂０１２３４５６７８９．－＋", '{}[]:,"0123456789.-+')
_DOUBLE = '"“”„‟＂'
_QUOTES = _DOUBLE + "'‘’"
_CLOSERS = {'"': '"＂', "'": "'", "‘": "’"}
_CONSTANTS = {
    "true": True, "false": False, "null": None, "True": True, "False": False, "None": None,
    "NaN": float("nan"), "Infinity": float("inf"), "-Infinity": float("-inf"),
}  # fmt: skip
_SPACE = re.compile(r"(?:\s|//[^\n]*|/\*.*?\*/)*", re.S)
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?")
_SCALAR = re.compile(r"[-+\w.－＋．]+")
_NAME = re.compile(r"[A-Za-z_]\w*")
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}
_KEY_FOLLOWS = rf"(?:[{_QUOTES}][^{_QUOTES}\n]*[{_QUOTES}]|[A-Za-z_]\w*)\s*[:：]"
_AFTER_KEY = re.compile(r"\s*[:：]")
_AFTER_MEMBER = re.compile(rf"\s*(?:$|[}}｝]|//|/\*|[,，]\s*(?:[}}｝]|//|/\*|{_KEY_FOLLOWS}))")
_AFTER_ELEMENT = re.compile(r"\s*(?:$|[\]］,，]|//|/\*)")
_MAX_DEPTH = 40
_MAX_KEY = 200
# Each false start may scan the whole text: a bound keeps a hostile reply from costing minutes.
_MAX_FALSE_STARTS = 300


class Conflict(NamedTuple):
    """The values of one key that an object names twice with different values."""

    values: tuple[object, ...]


class Found(NamedTuple):
    """An object in a text: `text[start:end]`, decoded, and what had to be repaired."""

    start: int
    end: int
    value: dict[str, object]
    repairs: tuple[str, ...]


class Cut(Exception):
    """The text ends inside the object that starts at `args[0]`, or nests it beyond sense."""


class _Malformed(Exception):
    """No JSON object, however loosely read."""


def objects(text: str) -> Iterator[Found]:
    """Yield the outermost objects of `text` in order.

    Raises:
        Cut: the text ends inside an object, or holds little but broken ones. What looks like an
            object further in is then part of a broken one (a quoted essay, say): not offered.
    """
    at = false_starts = 0
    while (start := _next_brace(text, at)) >= 0:
        try:
            found = _strict(text, start) or _loose(text, start)
        except _Malformed:
            false_starts += 1
            if false_starts > _MAX_FALSE_STARTS:
                raise Cut(start) from None
            at = start + 1
            continue
        yield found
        at = found.end


def number(digits: str) -> int | float:
    """A JSON number; one too long for any scale becomes a float, infinite if need be."""
    return int(digits) if len(digits) < 16 and _is_whole(digits) else float(digits)


def without_surrogates(text: str) -> str:
    """A text that a database takes: escapes such as a lone \\ud83d decode to surrogates."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


def _is_whole(digits: str) -> bool:
    return not any(mark in digits for mark in ".eE")


def _next_brace(text: str, at: int) -> int:
    found = [place for mark in "{｛" if (place := text.find(mark, at)) >= 0]
    return min(found, default=-1)


def _merge(pairs: list[tuple[str, object]]) -> dict[str, object]:
    merged: dict[str, object] = {}
    for key, value in pairs:
        # By repr: True equals 1 and NaN does not equal itself.
        is_twice = key in merged and repr(merged[key]) != repr(value)
        merged[key] = Conflict((merged[key], value)) if is_twice else value
    return merged


_DECODER = json.JSONDecoder(object_pairs_hook=_merge, parse_int=number)


def _strict(text: str, start: int) -> Found | None:
    if text[start] != "{":
        return None
    try:
        value, end = _DECODER.raw_decode(text, start)
    except (json.JSONDecodeError, RecursionError):
        return None
    return Found(start, end, value, ())


def _loose(text: str, start: int) -> Found:
    reader = _Reader(text, start)
    try:
        value = reader.read_object(0)
    except IndexError:
        # Only an object that has begun in earnest counts as cut; a brace in prose does not.
        if reader.members:
            raise Cut(start) from None
        raise _Malformed from None
    return Found(start, reader.at, value, tuple(sorted(reader.repairs)))


class _Reader:
    """Recursive descent over `text` from `at`; an IndexError means that the text ended."""

    def __init__(self, text: str, at: int) -> None:
        self.text = text
        self.at = at
        self.members = 0
        self.repairs: set[str] = set()

    def read_object(self, depth: int) -> dict[str, object]:
        if depth > _MAX_DEPTH:
            raise IndexError
        self._take("{")
        pairs: list[tuple[str, object]] = []
        while self._peek() != "}":
            key = self._read_key()
            self._take(":")
            self.members += 1
            pairs.append((key, self._read_value(depth, _AFTER_MEMBER)))
            self._take_comma("}")
        self._take("}")
        return _merge(pairs)

    def _read_array(self, depth: int) -> list[object]:
        if depth > _MAX_DEPTH:
            raise IndexError
        self._take("[")
        values: list[object] = []
        while self._peek() != "]":
            values.append(self._read_value(depth, _AFTER_ELEMENT))
            self._take_comma("]")
        self._take("]")
        return values

    def _read_key(self) -> str:
        if self._peek() in _QUOTES:
            return self._read_string(_AFTER_KEY)
        name = _NAME.match(self.text, self.at)
        if name is None:
            raise _Malformed
        self.at = name.end()
        self.repairs.add("unquoted_key")
        return name[0]

    def _read_value(self, depth: int, after: re.Pattern[str]) -> object:
        mark = self._peek()
        if mark == "{":
            return self.read_object(depth + 1)
        if mark == "[":
            return self._read_array(depth + 1)
        if mark in _QUOTES:
            return self._read_string(after)
        return self._read_scalar()

    def _read_scalar(self) -> object:
        match = _SCALAR.match(self.text, self.at)
        if match is None:
            raise _Malformed
        self.at = match.end()
        if self.at == len(self.text):
            raise IndexError
        word = match[0].translate(_WIDE)
        if word != match[0]:
            self.repairs.add("full_width")
        if word in _CONSTANTS:
            return _CONSTANTS[word]
        if _NUMBER.fullmatch(word):
            return number(word)
        raise _Malformed

    def _read_string(self, after: re.Pattern[str]) -> str:
        """A string; a quote inside it closes it only where the structure can go on behind it."""
        opener = self.text[self.at]
        if opener != '"':
            self.repairs.add("quotes")
        closers = _CLOSERS.get(opener, _DOUBLE)
        self.at += 1
        parts: list[str] = []
        while True:
            if after is _AFTER_KEY and len(parts) > _MAX_KEY:
                raise _Malformed
            char = self.text[self.at]
            if char == "\\":
                parts.append(self._read_escape())
                continue
            self.at += 1
            if char in closers:
                if after.match(self.text, self.at):
                    return "".join(parts)
                self.repairs.add("unescaped_quote")
            elif char in "\n\r\t":
                self.repairs.add("raw_line_break")
            parts.append(char)

    def _read_escape(self) -> str:
        mark = self.text[self.at + 1]
        digits = self.text[self.at + 2 : self.at + 6]
        if mark == "u" and re.fullmatch(r"[0-9a-fA-F]{4}", digits):
            self.at += 6
            return chr(int(digits, 16))
        self.at += 2
        if mark in '"\\/':
            return mark
        if mark not in _ESCAPES:
            self.repairs.add("escape")
        return _ESCAPES.get(mark, "\\" + mark)

    def _peek(self) -> str:
        """The next structural character, behind spaces and comments."""
        space = _SPACE.match(self.text, self.at)
        if space is not None:
            if "/" in space[0]:
                self.repairs.add("comment")
            self.at = space.end()
        return self.text[self.at].translate(_WIDE) if self._is_wide() else self.text[self.at]

    def _is_wide(self) -> bool:
        return self.text[self.at] in "｛｝［］：，"

    def _take(self, mark: str) -> None:
        if self._peek() != mark:
            raise _Malformed
        if self._is_wide():
            self.repairs.add("full_width")
        self.at += 1

    def _take_comma(self, closer: str) -> None:
        if self._peek() == closer:
            return
        self._take(",")
        if self._peek() == closer:
            self.repairs.add("trailing_comma")
