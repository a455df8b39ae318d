"""Opening files: locks, foreign files and newer versions end in a message that says what to do."""

import subprocess
import sys
from pathlib import Path

import duckdb
import pytest

from towbench.schemas.database import explain, open_database
from towbench.schemas.errors import DataError


def test_opening_twice_migrates_once(tmp_path: Path) -> None:
    for _ in range(2):
        with open_database(tmp_path / "a.duckdb", tmp_path / "ledger.duckdb") as con:
            names = con.execute("SELECT count(*), count(DISTINCT name) FROM migration").fetchall()
            assert names[0][0] == names[0][1] >= 4
            assert con.execute("SELECT count(*) FROM ledger.attempt").fetchall() == [(0,)]


def test_the_command_line_shell_of_pypi_reads_the_file(tmp_path: Path) -> None:
    with open_database(tmp_path / "a.duckdb", tmp_path / "ledger.duckdb"):
        pass
    shell = Path(sys.executable).with_name("duckdb")
    for name, table in (("a", "corpus.item"), ("ledger", "text")):
        done = subprocess.run(
            [shell, "-readonly", tmp_path / f"{name}.duckdb", "-c", f"SELECT count(*) FROM {table}"],
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr


def test_a_locked_file_names_the_process(tmp_path: Path) -> None:
    path = tmp_path / "a.duckdb"
    holder = subprocess.Popen(
        [
            sys.executable, "-c",
            f"import duckdb, sys; c = duckdb.connect({str(path)!r}); print('open', flush=True); "
            "sys.stdin.read()",
        ],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    try:
        assert holder.stdout is not None and holder.stdout.readline() == "open\n"
        with pytest.raises(DataError, match=f"in use by process {holder.pid}") as caught:
            open_database(path, None)
        assert "release/" in str(caught.value)
    finally:
        holder.communicate()


def test_a_foreign_file_is_named(tmp_path: Path) -> None:
    path = tmp_path / "notes.duckdb"
    path.write_text("these are notes, not a database\n" * 500)
    with pytest.raises(DataError, match=r"not a DuckDB file.*TOWBENCH_DB"):
        open_database(path, None)


@pytest.mark.parametrize("read_only", [True, False])
def test_a_database_that_is_not_ours_is_refused_and_left_alone(
    read_only: bool, tmp_path: Path
) -> None:
    path = tmp_path / "sales.duckdb"
    with duckdb.connect(str(path)) as con:
        con.execute("CREATE TABLE sale (amount INTEGER)")
    with pytest.raises(DataError, match="not a file of towbench"):
        open_database(path, None, read_only=read_only)
    with duckdb.connect(str(path)) as con:
        assert con.execute("SELECT table_name FROM duckdb_tables()").fetchall() == [("sale",)]


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(DataError, match="cannot be made"):
        open_database(tmp_path / "file" / "a.duckdb", None)


def test_a_database_of_a_newer_towbench_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.duckdb"
    with open_database(path, None) as con:
        con.execute("INSERT INTO migration VALUES ('9999_from_the_future.sql')")
    for read_only in (True, False):
        with pytest.raises(DataError, match=r"newer towbench.*9999_from_the_future.sql.*upgrade"):
            open_database(path, None, read_only=read_only)


def test_a_file_of_another_storage_version_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.duckdb"
    with duckdb.connect(str(path)) as con:
        con.execute("CREATE TABLE t (i INTEGER)")
    shell = Path(sys.executable).with_name("duckdb")
    done = subprocess.run(
        [shell, path, "-c", "FROM t"], capture_output=True, text=True, check=False
    )
    assert "another DuckDB version" in explain(path, done.stderr), done.stderr


def test_a_file_that_cannot_be_written_says_what_to_do() -> None:
    said = explain(Path("a.duckdb"), 'IO Error: Cannot open file "a.duckdb": Read-only file system')
    assert said.startswith("a.duckdb: cannot be written (Read-only file system)")
    assert "TOWBENCH_LEDGER" in said


def test_reading_a_missing_database_says_how_to_make_one(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="no such database; run `make score`"):
        open_database(tmp_path / "none.duckdb", None, read_only=True)
