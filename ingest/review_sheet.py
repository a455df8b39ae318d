"""Review tasks as xlsx or csv, and back.

A text that a spreadsheet could take for a formula stays a text, and one longer than a cell may be
goes on in columns `name (2)`, `name (3)` …, which are joined again when the sheet is read.
"""

from __future__ import annotations

import csv
import io
import re
import zipfile
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from towbench.ingest.review import ANSWERS, DECISIONS, GUIDELINES, SHOWN, Entry, Task, plain
from towbench.schemas.errors import DataError

CELL: Final = 32_000
"""UTF-16 units put into one cell; Excel takes 32,767."""
MAX_BYTES: Final = 1 << 30
"""A workbook that unpacks to more is refused."""
_MORE: Final = re.compile(r"(.+) \((\d+)\)")
_FORMULA: Final = re.compile(r"'*\s*[=+\-@＝＋－＠]")
_SPREADSHEET: Final = "tasks"


def write_xlsx(path: Path, kind: str, tasks: Sequence[Task]) -> None:
    """Write a workbook: the tasks with columns to fill in, and a second sheet that says how."""
    from openpyxl import Workbook
    from openpyxl.cell import WriteOnlyCell
    from openpyxl.styles import Alignment, Font, PatternFill
    from openpyxl.utils import get_column_letter
    from openpyxl.worksheet.datavalidation import DataValidation

    columns, rows = _spread(kind, tasks)
    book = Workbook(write_only=True)
    sheet = book.create_sheet(_SPREADSHEET)
    sheet.freeze_panes = "D2"
    long = {"instruction": 40, "grounding": 60, "reference": 60, "marks": 30}
    for index, name in enumerate(columns, 1):
        letter = get_column_letter(index)
        base = name.split(" (")[0].removeprefix("new_")
        sheet.column_dimensions[letter].width = 60 if len(base) == 1 else long.get(base, 14)
        if name == "decision":
            choice = DataValidation(
                type="list", formula1=f'"{",".join(DECISIONS[kind])}"', allow_blank=True
            )
            choice.add(f"{letter}2:{letter}{max(len(rows) + 1, 2)}")
            sheet.data_validations.append(choice)
    wrapped = Alignment(wrap_text=True, vertical="top")
    fill = PatternFill("solid", fgColor="FFF2CC")

    def cell(value: str) -> Any:
        made = WriteOnlyCell(sheet, value=value)
        if value:
            made.data_type = "s"
        made.alignment = wrapped
        # Excel keeps a cell with this flag a text, also when somebody edits it.
        made.quotePrefix = bool(_FORMULA.match(value))
        return made

    head = []
    for name in columns:
        made = cell(name)
        made.font = Font(bold=True)
        if name.split(" (")[0] in ANSWERS[kind]:
            made.fill = fill
        head.append(made)
    sheet.append(head)
    for row in rows:
        sheet.append([cell(value) for value in row])
    book.create_sheet("how to").append([GUIDELINES[kind]])
    book.save(path)


def write_csv(path: Path, kind: str, tasks: Sequence[Task]) -> None:
    """Write a csv that Excel opens as UTF-8; an apostrophe keeps a formula a text."""
    columns, rows = _spread(kind, tasks)
    with path.open("w", encoding="utf-8-sig", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(columns)
        writer.writerows([_quoted(value) for value in row] for row in rows)


def read_xlsx(path: Path) -> Iterator[Entry]:
    """Entries of the first sheet.

    Raises:
        DataError: not a workbook, or one that unpacks to more than a gigabyte.
    """
    from openpyxl import load_workbook

    try:
        with zipfile.ZipFile(path) as archive:
            size = sum(member.file_size for member in archive.infolist())
        if size > MAX_BYTES:
            raise DataError(f"{path}: unpacks to {size:,} bytes; that is no review sheet")
        book = load_workbook(path, read_only=True)
        sheet = book.worksheets[0]
        # Some programs store a wrong used range, which would hide rows.
        sheet.reset_dimensions()
        lines = [[_said(cell) for cell in row] for row in sheet.iter_rows()]
        book.close()
    except DataError:
        raise
    except Exception as error:  # openpyxl raises whatever its parsers raise
        raise DataError(f"{path}: not a readable workbook ({error})") from error
    yield from _entries(path.name, lines)


def read_csv(path: Path) -> Iterator[Entry]:
    """Entries of a csv in UTF-8, UTF-16 with a mark, or GB18030, as spreadsheets save them.

    Raises:
        DataError: neither encoding fits, or a quoted cell never ends.
    """
    text = decode_sheet(path)
    head = text.lstrip().split("\n", 1)[0]
    delimiter = max(",\t;", key=head.count)
    csv.field_size_limit(1 << 27)
    try:
        lines = list(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True))
    except csv.Error as error:
        raise DataError(f"{path}: not a csv ({error})") from error
    names = len(lines[0]) if lines else 0
    for entry in _entries(path.name, [[_unquoted(value) for value in line] for line in lines]):
        # In a workbook these are notes at the rim; here a comma without quotes moved the cells.
        beyond = sum(bool(value.strip()) for value in lines[entry.row - 1][names:])
        fault = f"{beyond} cells beyond the last column; is a comma not quoted?" if beyond else ""
        yield replace(entry, fault=fault)


def decode_sheet(path: Path) -> str:
    """The text of a csv in UTF-8, UTF-16 with a mark, or GB18030.

    Raises:
        DataError: it is in none of them.
    """
    body = path.read_bytes()
    wide = body.startswith((b"\xff\xfe", b"\xfe\xff"))
    for encoding in ("utf-16",) if wide else ("utf-8-sig", "gb18030"):
        try:
            return body.decode(encoding)
        except UnicodeDecodeError:
            continue
    raise DataError(f"{path}: neither UTF-8 nor GB18030; save it as CSV UTF-8")


def _entries(file: str, lines: list[list[str]]) -> Iterator[Entry]:
    """Rows under the header as entries; wholly empty rows are passed over."""
    names = [name.strip() for name in lines[0]] if lines else []
    if twice := sorted({name for name in names if name and names.count(name) > 1}):
        raise DataError(f"{file}:1: column {', '.join(twice)} stands there twice")
    if not any(names):
        raise DataError(f"{file}:1: no header")
    for number, line in enumerate(lines[1:], 2):
        if any(value.strip() for value in line):
            cells = dict(zip(names, line + [""] * (len(names) - len(line)), strict=False))
            yield Entry(file, number, _joined(cells))


def _joined(cells: dict[str, str]) -> dict[str, str]:
    whole: dict[str, str] = {}
    for name, value in cells.items():
        if match := _MORE.fullmatch(name):
            whole[match[1]] = whole.get(match[1], "") + value
        elif name:
            whole[name] = value
    return {name: plain(value) for name, value in whole.items()}


def _said(cell: Any) -> str:
    value = cell.value
    if value is None:
        return ""
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value)


def _spread(kind: str, tasks: Sequence[Task]) -> tuple[list[str], list[list[str]]]:
    """Columns and rows, long texts over as many columns as the longest needs."""
    split = [{name: _parts(plain(task[name])) for name in SHOWN[kind]} for task in tasks]
    columns, places = [], []
    for name in SHOWN[kind]:
        width = max((len(row[name]) for row in split), default=1)
        columns += [name, *(f"{name} ({part})" for part in range(2, width + 1))]
        places += [(name, part) for part in range(width)]
    empty = [""] * len(ANSWERS[kind])
    rows = [
        [row[name][part] if part < len(row[name]) else "" for name, part in places] + empty
        for row in split
    ]
    return columns + list(ANSWERS[kind]), rows


def _parts(text: str) -> list[str]:
    """The text in pieces of at most CELL UTF-16 units, never cut within a character."""
    if len(text) <= CELL // 2:
        return [text]
    parts, begin, units = [], 0, 0
    for at, char in enumerate(text):
        width = 2 if ord(char) > 0xFFFF else 1
        if units + width > CELL:
            parts.append(text[begin:at])
            begin, units = at, 0
        units += width
    return [*parts, text[begin:]]


def _quoted(value: str) -> str:
    return "'" + value if _FORMULA.match(value) else value


def _unquoted(value: str) -> str:
    return value[1:] if value.startswith("'") and _FORMULA.match(value) else value


def save(path: Path, form: str, kind: str, tasks: Sequence[Task]) -> list[Path]:
    """Write tasks in the form `xlsx` or `csv`; return the files written."""
    (write_xlsx if form == "xlsx" else write_csv)(path, kind, tasks)
    return [path]
