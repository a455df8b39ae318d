"""Settings and files that cannot be right: one message that names them, and the exit code."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from towbench.tests.project import Project

pytestmark = pytest.mark.xdist_group("end_to_end")


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return Project(tmp_path)


def test_a_wrong_setting_is_named(project: Project) -> None:
    assert "TOWBENCH_JUDGES" in project.run("score", code=2, JUDGES="gpt-4o")


def test_an_unknown_tree_is_named_with_the_known_ones(scored: Project) -> None:
    printed = scored.run("score", code=2, TREES="oak")
    assert "TOWBENCH_TREES" in printed and "tow_five_v1" in printed


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
