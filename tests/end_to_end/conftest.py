"""The whole pipeline on the bundled sample sites, run once as a user would run it."""

from __future__ import annotations

import pytest

from towbench.tests.project import Project


@pytest.fixture(scope="session")
def scored(tmp_path_factory: pytest.TempPathFactory) -> Project:
    """`towbench score` in an empty folder."""
    project = Project(tmp_path_factory.mktemp("scored"))
    (project.folder / "printed.txt").write_text(project.run("score"))
    return project
