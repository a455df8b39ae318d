"""Review tasks as Label Studio tasks or Argilla records, and what these tools export, back.

Beside the tasks goes what the tool must be told once: Label Studio's labelling configuration
(`.label_config.xml`) or Argilla's dataset settings (`.settings.json`).
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final
from xml.etree import ElementTree

from towbench.ingest.review import (
    ABOUT,
    ANSWERS,
    DECISIONS,
    GUIDELINES,
    REASONS,
    SHOWN,
    Entry,
    Task,
    plain,
)
from towbench.schemas.errors import DataError

_CHOICES: Final = {"decision": DECISIONS, "reason": {"items": REASONS, "picks": ()}}


def save(path: Path, form: str, kind: str, tasks: Sequence[Task]) -> list[Path]:
    """Write tasks in the form `labelstudio` or `argilla`; return the files written."""
    if form == "labelstudio":
        rows: list[dict[str, Any]] = [{"data": dict(task)} for task in tasks]
        beside, told = path.with_suffix(".label_config.xml"), label_config(kind)
    else:
        rows = [_record(kind, task) for task in tasks]
        beside = path.with_suffix(".settings.json")
        told = json.dumps(argilla_settings(kind), ensure_ascii=False, indent=1)
    path.write_text(json.dumps(rows, ensure_ascii=False, indent=1) + "\n", "utf-8")
    beside.write_text(told + "\n", "utf-8")
    return [path, beside]


def label_config(kind: str) -> str:
    """Label Studio's labelling configuration of a kind."""
    view = ElementTree.Element("View")
    ElementTree.SubElement(view, "Header", value=GUIDELINES[kind])
    for name in SHOWN[kind]:
        if name not in ABOUT:
            ElementTree.SubElement(view, "Header", value=name)
            # valueType: a text that looks like an address is shown, never fetched.
            ElementTree.SubElement(
                view, "Text", name=name, value=f"${name}", valueType="text", saveTextResult="no"
            )
    for name in ANSWERS[kind]:
        if name == "reviewer":
            continue
        common = {"name": name, "toName": "instruction"}
        ElementTree.SubElement(view, "Header", value=name)
        if name in _CHOICES:
            required = "true" if name == "decision" else "false"
            choices = ElementTree.SubElement(
                view, "Choices", common | {"choice": "single", "required": required}
            )
            for value in _CHOICES[name][kind]:
                ElementTree.SubElement(choices, "Choice", value=value)
        else:
            ElementTree.SubElement(
                view, "TextArea", common | {"rows": "4", "maxSubmissions": "1", "editable": "true"}
            )
    ElementTree.indent(view)
    return ElementTree.tostring(view, encoding="unicode")


def argilla_settings(kind: str) -> dict[str, Any]:
    """Fields, questions and guidelines of an Argilla dataset of a kind."""
    questions = []
    for name in ANSWERS[kind]:
        if name == "reviewer":
            continue
        if name in _CHOICES:
            options = [
                {"value": value, "text": value, "description": None}
                for value in _CHOICES[name][kind]
            ]
            shape: dict[str, Any] = {"type": "label_selection", "options": options}
        else:
            shape = {"type": "text", "use_markdown": False}
        questions.append(
            {"name": name, "title": name, "required": name == "decision", "settings": shape}
        )
    fields = [
        {
            "name": name,
            "title": name,
            "required": name == "instruction",
            "settings": {"type": "text", "use_markdown": False},
        }
        for name in SHOWN[kind]
        if name not in ABOUT
    ]
    return {
        "guidelines": GUIDELINES[kind],
        "allow_extra_metadata": True,
        "fields": fields,
        "questions": questions,
        "metadata": [],
        "vectors": [],
    }


def _record(kind: str, task: Task) -> dict[str, Any]:
    return {
        "id": f"{task['benchmark']}|{task['round']}|{kind}|{task['item_id']}",
        "fields": {name: task[name] for name in SHOWN[kind] if name not in ABOUT},
        "metadata": {name: task[name] for name in ABOUT},
        "suggestions": {},
        "responses": {},
        "vectors": {},
    }


def read(path: Path) -> Iterator[Entry]:
    """Entries of what Label Studio or Argilla exported; a task counts as one row, from 1.

    Raises:
        DataError: no JSON list of tasks or records.
    """
    try:
        rows = json.loads(path.read_text("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        raise DataError(f"{path}: not JSON ({error})") from error
    if not isinstance(rows, list):
        raise DataError(f"{path}: a JSON {type(rows).__name__}, not a list of tasks")
    for number, row in enumerate(rows, 1):
        if isinstance(row, dict) and isinstance(row.get("data"), dict):
            yield from _label_studio(path.name, number, row)
        elif isinstance(row, dict) and isinstance(row.get("fields"), dict):
            yield from _argilla(path.name, number, row)
        else:
            raise DataError(f"{path}:{number}: neither a Label Studio task nor an Argilla record")


def _label_studio(file: str, number: int, row: dict[str, Any]) -> Iterator[Entry]:
    shown = _texts(row["data"])
    given = [
        one
        for one in row.get("annotations") or []
        if isinstance(one, dict) and not one.get("was_cancelled")
    ]
    for annotation in given:
        answers = {"reviewer": _person(annotation.get("completed_by"))}
        for result in annotation.get("result") or []:
            value = result.get("value") if isinstance(result, dict) else None
            if not isinstance(value, dict):
                continue
            said = value.get("choices") or value.get("text") or []
            said = [said] if isinstance(said, str) else said
            answers[str(result.get("from_name"))] = "\n".join(map(str, said))
        at = _time(annotation.get("updated_at") or annotation.get("created_at"))
        yield Entry(file, number, shown | _texts(answers), at)
    if not given:
        yield Entry(file, number, shown)


def _argilla(file: str, number: int, row: dict[str, Any]) -> Iterator[Entry]:
    shown = _texts(row["fields"]) | _texts(row.get("metadata") or {})
    responses = row.get("responses") or {}
    if not isinstance(responses, dict):
        raise DataError(f"{file}:{number}: responses is no object of questions")
    people: dict[str, dict[str, Any]] = {}
    for question, answers in responses.items():
        for answer in answers or []:
            if isinstance(answer, dict) and answer.get("status", "submitted") == "submitted":
                reviewer = str(answer.get("user_id") or "")
                people.setdefault(reviewer, {})[question] = answer.get("value")
    for reviewer, said in people.items():
        yield Entry(file, number, shown | _texts(said | {"reviewer": reviewer}))
    if not people:
        yield Entry(file, number, shown)


def _texts(values: dict[str, Any]) -> dict[str, str]:
    return {str(name): plain("" if value is None else str(value)) for name, value in values.items()}


def _person(value: object) -> str:
    """Label Studio names a person by number, by mail or by an object that holds either."""
    if isinstance(value, dict):
        value = value.get("email") or value.get("username") or value.get("id")
    return "" if value is None else str(value)


def _time(value: object) -> datetime | None:
    try:
        at = datetime.fromisoformat(str(value))
    except ValueError:
        return None
    return at.astimezone(UTC).replace(tzinfo=None) if at.tzinfo else at
