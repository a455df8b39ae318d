"""What a judge sees of a model's output: the text after its thoughts (pure)."""

import re
from typing import Final

_TAG: Final = re.compile(
    r"<(?P<a>/?)(?:think|thinking|thought|reasoning)>|\[(?P<b>/?)THINK\]|◁(?P<c>/?)think▷",
    re.IGNORECASE,
)
# A tag inside quotes or code marks is talked about, not used.
_QUOTES: Final = {"`": "`", '"': '"', "'": "'", "“": "”", "「": "」", "《": "》"}
_SPACE: Final = " \t\r\n"


def split_thought(text: str) -> tuple[str, bool, bool]:
    """Cut leading thoughts off an output.

    A thought is a pair of tags that starts the text, or everything before a closing tag that has
    no opening one (servers that send only `</think>`). A pair further inside is part of the essay.

    Returns:
        The text after the thoughts, whether there were any, and whether the last one is closed
        (if not, the text is empty: the output was cut while thinking).
    """
    start = 0
    while (end := _thought_end(text, start)) is not None:
        if end < 0:
            return "", True, False
        start = end
    return (text[start:].lstrip(_SPACE) if start else text), start > 0, True


def _thought_end(text: str, start: int) -> int | None:
    """End of the thought at `start`: None if there is none, -1 if it never closes."""
    tags = [tag for tag in _TAG.finditer(text, start) if not _is_quoted(text, tag)]
    if not tags:
        return None
    if _opens(tags[0]) and not text[start : tags[0].start()].strip(_SPACE):
        return next((tag.end() for tag in tags if not _opens(tag)), -1)
    depth = 0
    for tag in tags:
        if _opens(tag):
            depth += 1
        elif depth == 0:
            return tag.end()
        else:
            depth -= 1
    return None


def _opens(tag: re.Match[str]) -> bool:
    return not (tag["a"] or tag["b"] or tag["c"])


def _is_quoted(text: str, tag: re.Match[str]) -> bool:
    before, after = text[: tag.start()][-1:], text[tag.end() : tag.end() + 1]
    return bool(before) and _QUOTES.get(before) == after
