"""What a review sheet holds: the columns of each kind, the answers, one task a row.

Items are accepted, revised or rejected; picks choose the best of four texts whose sources are
hidden behind letters (HoWToBench 4.5 and appendix D.4). Every form of a sheet (xlsx, csv, Label
Studio, Argilla, the web form) carries these columns and is read back into the same entries.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime
from typing import Final

KINDS: Final = ("items", "picks")
FORMATS: Final = ("xlsx", "csv", "labelstudio", "argilla")
LETTERS: Final = ("A", "B", "C", "D")
REASONS: Final = ("instruction", "grounding", "reference", "genre")
EMPTY: Final = "<empty>"
"""Written into new_grounding to take the grounding away; an empty cell changes nothing."""

KEY: Final = ("benchmark", "round", "item_id")
ABOUT: Final = (*KEY, "task", "genre", "lang")
SHOWN: Final = {
    "items": (*ABOUT, "marks", "instruction", "grounding", "reference"),
    "picks": (*ABOUT, "instruction", "grounding", *LETTERS),
}
ANSWERS: Final = {
    "items": ("reviewer", "decision", "reason", "comment", *(f"new_{name}" for name in REASONS)),
    "picks": ("reviewer", "decision", "comment"),
}
DECISIONS: Final = {"items": ("accept", "revise", "reject"), "picks": LETTERS}
# Words a reviewer may write for a decision or a reason, besides the names themselves.
WORDS: Final = {
    "接受": "accept", "通过": "accept", "修改": "revise", "拒绝": "reject", "不合格": "reject",
    "指令": "instruction", "基础信息": "grounding", "引导信息": "grounding", "参考": "reference",
    "参考文本": "reference", "体裁": "genre",
}  # fmt: skip

GUIDELINES: Final = {
    "items": (
        "Read instruction, grounding, reference and marks. decision = accept, revise or reject "
        "(接受 / 修改 / 拒绝). To revise, write the whole new text into new_instruction, "
        "new_grounding, new_reference or new_genre; an empty cell changes nothing, <empty> takes "
        "the grounding away. To reject, name the reason: instruction, grounding, reference or "
        "genre. Write your name into reviewer. Leave all other columns as they are."
    ),
    "picks": (
        "Read all four texts against instruction and grounding: content first (theme, tone, "
        "opening and ending, rhetoric, coherence, evidence), then format (structure of the genre, "
        "headings, paragraphs, no stray bullet points). decision = the letter of the best text; "
        "say in comment what makes it best and what the others lack. Write your name into "
        "reviewer. Leave all other columns as they are."
    ),
}

Task = dict[str, str]
"""The shown columns of one row, all as text."""

# Control characters that XML, and so a spreadsheet, cannot hold.
_FORBIDDEN: Final = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff\ud800-\udfff]")


@dataclass(frozen=True)
class Entry:
    """One answered (or still empty) row as a file gave it; `row` counts as spreadsheets do.

    `fault` says why its cells cannot be told apart.
    """

    file: str
    row: int
    values: dict[str, str]
    at: datetime | None = None
    fault: str = ""


def plain(text: str) -> str:
    """A text as it survives any sheet: no control characters, one kind of line end, no rim."""
    return _FORBIDDEN.sub("\ufffd", text.replace("\r\n", "\n").replace("\r", "\n")).strip()


def kind_of(columns: set[str]) -> str | None:
    """Which kind of sheet has these columns; None if neither does."""
    return next((kind for kind in KINDS if set(SHOWN[kind]) <= columns), None)
