"""The wheel holds what the folders hold; imports go one way; the type checker really checks."""

import ast
import shutil
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("ingest", "prompts", "schemas", "spiders", "sql", "udfs")
# A folder may import these of ours, besides itself (DESIGN 1).
MAY_IMPORT = {
    "schemas": set(),
    "prompts": {"schemas"},
    "ingest": {"schemas"},
    "spiders": {"schemas"},
    "udfs": {"schemas", "prompts", "ingest"},
    "sql": {"schemas", "prompts", "ingest", "udfs"},
}


def tracked_files() -> list[str]:
    done = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT, capture_output=True, text=True, check=True,
    )  # fmt: skip
    return [name for name in done.stdout.splitlines() if (ROOT / name).is_file()]


def test_the_wheel_holds_every_file_of_the_package_and_nothing_else(tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    for name in tracked_files():
        if not name.startswith(".dev"):
            (copy / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, copy / name)
    subprocess.run(
        [sys.executable, "-m", "pip", "wheel", "-q", "--disable-pip-version-check", "--no-deps",
         "-w", tmp_path, copy],
        check=True,
    )  # fmt: skip
    (wheel,) = tmp_path.glob("towbench-*.whl")
    with zipfile.ZipFile(wheel) as archive:
        inside = {name for name in archive.namelist() if ".dist-info/" not in name}
    expected = {
        f"towbench/{name}"
        for name in tracked_files()
        if name.split("/")[0] in PACKAGES or name in ("__init__.py", "__main__.py")
    }
    assert inside == expected


def test_every_python_folder_is_listed_in_pyproject() -> None:
    setup = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]
    folders = {
        "towbench." + ".".join(Path(name).parent.parts)
        for name in tracked_files()
        if name.endswith("__init__.py") and name.split("/")[0] in PACKAGES
    }
    assert set(setup["packages"]) == folders | {"towbench"}


@pytest.mark.parametrize("folder", PACKAGES)
def test_imports_go_one_way(folder: str) -> None:
    files = sorted((ROOT / folder).rglob("*.py"))
    assert files
    for file in files:
        for module in imported_modules(file):
            if module.startswith("towbench."):
                other = module.split(".")[1]
                assert other == folder or other in MAY_IMPORT[folder], f"{file}: {module}"


def imported_modules(file: Path) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module == "towbench":
            found |= {f"towbench.{alias.name}" for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            found.add(node.module or "")
    return found


def test_only_the_client_talks_to_a_model_api() -> None:
    users = {
        str(file.relative_to(ROOT))
        for folder in PACKAGES
        for file in (ROOT / folder).rglob("*.py")
        if any(module.split(".")[0] == "openai" for module in imported_modules(file))
    }
    assert users == {"udfs/client.py", "udfs/client_batch.py"}


@pytest.mark.slow
def test_a_planted_type_error_is_found(tmp_path: Path) -> None:
    """A checker that reads no file also prints success (facts 1)."""
    copy = tmp_path / "repo"
    for name in tracked_files():
        if name.endswith((".py", ".toml")) and not name.startswith("tests/"):
            (copy / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, copy / name)
    (copy / ".dev").mkdir()
    (copy / ".dev" / "towbench").symlink_to("..")
    with (copy / "schemas" / "trees.py").open("a") as file:
        file.write('\n\nPLANTED: int = "no number"\n')
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "-p", "towbench.schemas", "--cache-dir", tmp_path / "cache"],
        cwd=copy, capture_output=True, text=True, check=False,
    )  # fmt: skip
    faults = [line for line in done.stdout.splitlines() if "error:" in line]
    assert len(faults) == 1, done.stdout
    assert "schemas/trees.py" in faults[0]
