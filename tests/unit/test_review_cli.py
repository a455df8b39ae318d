"""`towbench review`: export, import, undo and the web form, as a user runs them."""

from __future__ import annotations

import csv
import re
import signal
import urllib.request
from pathlib import Path
from urllib.parse import urlencode

import pytest
from typer.testing import CliRunner, Result

from towbench.__main__ import app
from towbench.schemas.database import open_database
from towbench.schemas.errors import UsageError
from towbench.tests.cases_loader import fill
from towbench.tests.project import Project
from towbench.tests.template import fresh_database

SYSTEMS = ("m/one", "m/three", "m/two")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Project:
    project = Project(tmp_path_factory.mktemp("review"))
    with open_database(fresh_database(project.db), None) as con:
        items = [
            {
                "benchmark": "b", "item_id": f"i{n}", "task": "guide", "genre": "prose",
                "lang": "zh", "instruction": "写信给13800138000", "reference": f"原文{n}。",
                "instruction_hash": f"a{n}", "reference_hash": f"b{n}",
            }
            for n in (1, 2)
        ]  # fmt: skip
        fill(con, "corpus.item", items)
        writings = [
            {
                "benchmark": "b", "writing_id": f"i{n}:{system}:0", "item_id": f"i{n}",
                "system": system, "judged_text": f"{system}写{n}", "status": "ok",
            }
            for n in (1, 2)
            for system in SYSTEMS
        ]  # fmt: skip
        fill(con, "corpus.writing", writings)
    return project


@pytest.fixture
def project(folder: Project, monkeypatch: pytest.MonkeyPatch) -> Project:
    """One database for all tests, each of which has a round of its own."""
    monkeypatch.chdir(folder.folder)
    return folder


def run(*words: str, code: int = 0) -> Result:
    result = CliRunner().invoke(app, ["review", *words])
    assert result.exit_code == code, (result.output, result.exception)
    return result


def answer(path: Path, **cells: str) -> None:
    with path.open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    with path.open("w", encoding="utf-8-sig", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(row | cells for row in rows)


def test_a_review_from_export_to_undo(project: Project) -> None:
    assert "2 tasks of items, round 1" in run("export", "--format", "csv", "--round", "1").output
    path = project.folder / "review_b_items_1.csv"
    text = path.read_text("utf-8-sig")
    assert "instruction 3-14 pii_mobile: 138*****000" in text
    answer(path, reviewer="王", decision="reject", reason="reference")
    assert "2 reviews new" in run("import", str(path)).output
    statuses = "SELECT DISTINCT status, reason FROM corpus.item"
    assert project.query(statuses) == [("rejected", "review: reference")]
    assert "2 known already" in run("import", str(path)).output

    answer(path, reviewer="李", decision="maybe")
    refused = run("import", str(path), code=1).output
    assert "review_b_items_1.csv:3: unknown decision 'maybe'" in refused
    assert "2 reviews taken back" in run("undo", "--round", "1").output
    assert project.query(statuses) == [("accepted", None)]
    assert project.query("SELECT count(*) FROM corpus.review WHERE round = 1") == [(2,)]


def test_a_sheet_of_picks_tells_no_source(project: Project) -> None:
    run("export", "--kind", "picks", "--format", "csv", "--seed", "3", "--out", "p.csv")
    with (project.folder / "p.csv").open(encoding="utf-8-sig", newline="") as file:
        columns = csv.DictReader(file).fieldnames or []
    assert {"A", "B", "C", "D", "decision"} <= set(columns)
    assert not {"reference", "source", "system", "seed", "writing_id", "marks"} & set(columns)
    assert project.query("SELECT seed FROM corpus.review_round WHERE kind = 'picks'") == [(3,)]


def test_wrong_words_are_usage_errors(project: Project) -> None:
    for words in (["export", "--kind", "x"], ["export", "--format", "pdf"], ["undo", "--round", "1",
                  "--kind", "x"]):  # fmt: skip
        assert isinstance(run(*words, code=1).exception, UsageError)


def test_the_web_form_takes_an_answer_until_it_is_interrupted(project: Project) -> None:
    process = project.start("review", "serve", "--port", "0", "--round", "5")
    assert process.stdout is not None
    url = re.findall(r"http://127\.0\.0\.1:\d+/", process.stdout.readline())[0]
    with urllib.request.urlopen(url, timeout=30) as page:
        token = re.findall(r"name='token' value='([^']+)'", page.read().decode("utf-8"))[0]
    form = {"token": token, "n": "0", "reviewer": "王", "decision": "revise",
            "new_reference": "更好的文章。"}  # fmt: skip
    with urllib.request.urlopen(url, urlencode(form).encode(), timeout=30) as page:
        assert "2 / 2" in page.read().decode("utf-8")
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=60)
    assert (process.returncode, "1 answers saved" in err) == (0, True), err
    assert project.query("SELECT count(*) FROM corpus.item WHERE reference = '更好的文章。'") == [
        (1,)
    ]
    assert project.query("SELECT file, row FROM corpus.review WHERE round = 5") == [("web form", 1)]
