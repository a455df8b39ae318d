"""What the README says exists: commands, targets, settings, views, columns."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from towbench.__main__ import app
from towbench.schemas.database import open_database
from towbench.schemas.settings import Settings
from towbench.tests.template import fresh_database

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text("utf-8")
MAKEFILE = (ROOT / "Makefile").read_text("utf-8")
QUERIES = [
    query.strip()
    for block in re.findall(r"```sql\n(.*?)```", README, re.DOTALL)
    for query in block.split(";")
    if query.strip()
]


# Commands that take words of their own and are run as `towbench <name>`.
WITHOUT_TARGET = {"settings", "new-source", "withdraw"}


def test_the_readme_has_five_queries() -> None:
    assert len(QUERIES) == 5


@pytest.mark.parametrize("query", QUERIES)
def test_a_documented_query_runs(query: str, tmp_path: Path) -> None:
    with open_database(fresh_database(tmp_path / "a.duckdb"), None) as con:
        con.execute(query).fetchall()


def test_documented_targets_exist() -> None:
    targets = set(re.findall(r"^([a-z-]+):.*##", MAKEFILE, re.MULTILINE))
    named = set(re.findall(r"\bmake ([a-z-]+)", README))
    assert named <= targets, named - targets


def test_every_command_is_a_target_and_in_the_readme() -> None:
    targets = set(re.findall(r"^([a-z-]+):.*##", MAKEFILE, re.MULTILINE))
    for command in app.registered_commands:
        assert command.callback is not None and command.callback.__doc__
        name = command.name or command.callback.__name__
        assert name in README, name
        assert name in targets | WITHOUT_TARGET, name


def test_make_passes_settings_that_exist() -> None:
    listed = re.search(r"^SETTINGS := ((?:.*\\\n)*.*)$", MAKEFILE, re.MULTILINE)
    assert listed is not None
    names = listed[1].replace("\\", " ").split()
    known = {name.upper() for name in Settings.model_fields}
    assert set(names) == known - {"API_KEY"}


def test_every_setting_says_what_it_does() -> None:
    assert all(field.description for field in Settings.model_fields.values())


def test_no_text_of_the_project_names_a_registry_host() -> None:
    hosts = ("py" + "pi.org", "pythonhosted" + ".org", "npm" + "js.org")
    names = [*ROOT.glob("*.lock"), *ROOT.glob("*.md"), *ROOT.glob("*.toml"), ROOT / "Makefile"]
    assert [path.name for path in names if any(host in path.read_text() for host in hosts)] == []
