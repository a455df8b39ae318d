"""Settings and files that cannot be right: one message that names them, and the exit code."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from towbench.tests.project import Project

pytestmark = pytest.mark.slow


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return Project(tmp_path)


def test_a_wrong_setting_is_named(project: Project) -> None:
    assert "TOWBENCH_JUDGES" in project.run("score", code=2, JUDGES="gpt-4o")


def test_an_unknown_tree_is_named_with_the_known_ones(scored: Project) -> None:
    printed = scored.run("score", code=2, TREES="oak")
    assert "TOWBENCH_TREES" in printed and "tow_five_v1" in printed


@pytest.mark.parametrize(
    ("setting", "value", "says"),
    [
        ("REFERENCES", "system:nobody", "not in the database: nobody"),
        ("ITEMS", "nothing", "not in the database: nothing"),
        ("JUDGE", "local/x", "did you mean TOWBENCH_JUDGES?"),
    ],
)
def test_a_typo_is_named_and_nothing_is_asked(
    setting: str, value: str, says: str, scored: Project
) -> None:
    before = scored.query("SELECT * FROM run.asked ORDER BY ALL")
    printed = scored.run("score", code=2, **{setting: value})
    assert f"TOWBENCH_{setting}" in printed and says in printed
    assert "Traceback" not in printed
    assert scored.query("SELECT * FROM run.asked ORDER BY ALL") == before


def test_names_given_twice_count_once(scored: Project) -> None:
    scored.run("score", TREES="tow,tow_v1", JUDGES="embedded/rules-1,embedded/rules-1")
    assert scored.query("SELECT count(*) FROM run.asked WHERE kind IN ('tree', 'judge')") == [(2,)]


@pytest.mark.parametrize(
    "query", ["SELEC 1", "SELECT * FROM nowhere", "", "COPY run.run TO 'a.csv'"]
)
def test_a_wrong_query_is_a_message(query: str, scored: Project) -> None:
    printed = scored.run("sql", query, code=2)
    assert printed.startswith("error: ") and "Traceback" not in printed
    assert not (scored.folder / "a.csv").exists()


def test_a_query_may_open_with_a_comment(scored: Project) -> None:
    assert "│ 7" in scored.run("sql", "-- seven\nSELECT 7 AS n")


def test_an_address_is_stored_and_shown_without_credentials(project: Project) -> None:
    address = "http://me:hidden1@127.0.0.1:9/v1?key=hidden2"
    printed = project.run("settings", BASE_URL=address)
    assert "http://127.0.0.1:9/v1" in printed
    assert "hidden" not in printed


def test_a_missing_folder_is_named(project: Project) -> None:
    assert "nowhere" in project.run("import", "nowhere", code=1)


def test_a_foreign_folder_is_named_with_what_is_expected(project: Project) -> None:
    (project.folder / "photos").mkdir()
    (project.folder / "photos" / "a.jpg").write_bytes(b"\xff\xd8\xff")
    assert "aligned.jsonl" in project.run("import", "photos", code=1)


def test_reading_before_anything_was_made_says_what_to_run(project: Project) -> None:
    for command in ("status", "check"):
        assert "make score" in project.run(command, code=1)


def test_a_benchmark_without_items_is_named(scored: Project) -> None:
    assert "no item of elsewhere" in scored.run("score", code=1, BENCHMARK="elsewhere")


def test_a_live_judge_without_a_key_stops_at_once(scored: Project, project: Project) -> None:
    shutil.copytree(scored.folder / "data", project.folder / "data")
    printed = project.run("score", code=2, JUDGES="openai/gpt-4o", LIMIT="2")
    assert printed.count("TOWBENCH_OPENAI_API_KEY") == 1
    assert project.query(
        "SELECT count(score) FROM judge.leaf_score WHERE judge LIKE 'openai%'"
    ) == [(0,)]
