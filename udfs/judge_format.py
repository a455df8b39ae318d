"""SQL function `judge_format`: the rule leaves about headings (SPEC 4), a score of 0, 5 or 10.

`formatting_v1` judges the published heading grammar with the paper's words made precise by us;
`formatting_released_v1` does what the published code does.
"""

import re
from typing import Any, Final

import pyarrow as pa

from towbench.udfs.headings import Heading, headings

NAME: Final = "judge_format"
PARAMETERS: Final = ["VARCHAR", "VARCHAR", "VARCHAR"]
RETURNS: Final = "STRUCT(score DOUBLE, status VARCHAR, reason VARCHAR)"

LONG_TEXT: Final = 500
"""Characters from which a text should have headings."""
_WITHOUT_HEADINGS: Final = ("poem", "letters")
_NO_LISTS: Final = ("argumentative", "comment", "prose", "fiction")
_TYPE: Final = pa.struct(
    [("score", pa.float64()), ("status", pa.string()), ("reason", pa.string())]
)
_RELEASED_MARKDOWN: Final = re.compile(r"(#{1,6})\s+.+")
_RELEASED_TITLE: Final = re.compile(
    r"[一二三四五六七八九十百]+[、.．]\s*.+|第[一二三四五六七八九十百]+[章节部分]\s*.+|\d+[、.．]\s*.+"
)

Verdict = tuple[float, str]


def run(rule: pa.ChunkedArray, genre: pa.ChunkedArray, text: pa.ChunkedArray) -> pa.Array:
    """Rule, genre and text of writings -> score, status and reason (a code, then the line)."""
    rows = zip(rule.to_pylist(), genre.to_pylist(), text.to_pylist(), strict=True)
    return pa.array([_judge(*row) for row in rows], type=_TYPE)


def _judge(rule: str | None, genre: str | None, text: str | None) -> dict[str, Any]:
    if text is None or not text.strip():
        return {"status": "no_text", "reason": None}
    if rule == "formatting_v1":
        score, reason = formatting(text, genre or "others")
    elif rule == "formatting_released_v1":
        score, reason = formatting_released(text)
    else:
        return {"status": "not_applicable", "reason": f"unknown_rule: {rule}"}
    return {"score": score, "status": "ok", "reason": reason}


def formatting(text: str, genre: str) -> Verdict:
    """Our reading of the paper's leaf: 0 disorder, 5 headings missing, 10 everything else."""
    found = headings(text)
    if fault := _disorder(found) or _too_listed(text, genre, found):
        return 0.0, fault
    if not found and len(text) >= LONG_TEXT and genre not in _WITHOUT_HEADINGS:
        return 5.0, "no_headings"
    if untitled := next((heading for heading in found if not heading.title), None):
        return 5.0, _reason("no_title", untitled.line)
    return 10.0, "in_order" if found else "none_needed"


def _disorder(found: list[Heading]) -> str | None:
    """The first heading whose level or ordinal breaks the order."""
    last: dict[str, Heading] = {}
    closed: set[str] = set()
    for n, heading in enumerate(found):
        if heading.depth < found[0].depth:
            return _reason("lower_level_first", found[0].line)
        if n and heading.level > heading.parent_level + 1:
            return _reason("level_jump", heading.line)
        closed.update(kind for kind, seen in last.items() if seen.level > heading.level)
        if heading.ordinal is None:
            continue
        if fault := _ordinal_fault(heading, last.get(heading.kind), heading.kind in closed):
            return _reason(fault, heading.line)
        last[heading.kind] = heading
        closed.discard(heading.kind)
    return None


def _ordinal_fault(heading: Heading, before: Heading | None, closed: bool) -> str | None:
    """What is wrong with an ordinal after the one before it of its kind.

    Under a new parent (`closed`) a count starts again or goes on, as （一） … （二十） do in State
    Council documents; a list of Arabic numbers may also start again after its second entry.
    """
    count, previous = heading.ordinal or 0, before.ordinal or 0 if before else 0
    starts = count == 1 and (
        before is None or closed or (heading.kind in ("ordered", "paren") and previous > 1)
    )
    if starts or (before is not None and count == previous + 1):
        return None
    return "ordinal_missing" if count > previous + 1 or before is None else "ordinal_repeated"


def _too_listed(text: str, genre: str, found: list[Heading]) -> str | None:
    """List lines where the genre wants paragraphs: more than a third of all lines."""
    listed = [heading for heading in found if heading.kind in ("dash", "ordered")]
    n_line = sum(bool(line.strip()) for line in text.splitlines())
    if genre in _NO_LISTS and 3 * len(listed) > n_line:
        return _reason("list_heavy", listed[0].line)
    return None


def formatting_released(text: str) -> Verdict:
    """The published code: titles by three patterns, order checked between markdown titles only."""
    levels: list[int] = []
    titled = False
    for line in text.strip().split("\n"):
        line = line.strip()
        if markdown := _RELEASED_MARKDOWN.match(line):
            level = len(markdown[1])
            if levels and level - levels[-1] > 1:
                return 0.0, _reason("level_jump", line)
            levels.append(level)
        titled = titled or markdown is not None or _RELEASED_TITLE.match(line) is not None
    if not titled:
        return (10.0, "none_needed") if len(text) < LONG_TEXT else (5.0, "no_headings")
    return 10.0, "in_order"


def _reason(code: str, line: str) -> str:
    return f"{code}: {line if len(line) <= 40 else line[:39] + '…'}"
