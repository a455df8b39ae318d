"""Releases: the same database gives the same bytes, and a tag once written stays."""

import json
from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest

from towbench.ingest import release
from towbench.ingest.release import Manifest, write_release
from towbench.schemas.database import open_database
from towbench.schemas.errors import DataError, UsageError


@pytest.fixture
def con(tmp_path: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    with open_database(tmp_path / "db" / "t.duckdb", None) as connection:
        connection.execute("""
            INSERT INTO corpus.genre
            VALUES ('poem', 'creative', '诗歌', 'poem'), ('comment', 'creative', '文章', 'c');
            INSERT INTO run.view_version VALUES ('bench.kinds', 'bench.kinds_v1');
            CREATE SCHEMA IF NOT EXISTS bench;
            CREATE VIEW bench.kinds_v1 AS SELECT kind, count(*) AS n FROM corpus.genre GROUP BY ALL;
            CREATE VIEW bench.kinds AS SELECT * FROM bench.kinds_v1;
        """)  # fmt: skip
        yield connection


def write(
    con: duckdb.DuckDBPyConnection, folder: Path, tag: str = "v1", commit: str = "abc"
) -> Manifest:
    return write_release(con, tag, folder, commit=commit, package_version="0.1.0")


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_tables_and_bare_views_are_written_in_order(
    con: duckdb.DuckDBPyConnection, tmp_path: Path
) -> None:
    manifest = write(con, tmp_path / "release")
    folder = tmp_path / "release" / "v1"
    names = [file["name"] for file in manifest["files"]]
    assert {"corpus.genre", "judge.leaf_score", "run.run", "bench.kinds"} <= set(names)
    assert not any(name.startswith("raw.") or name == "bench.kinds_v1" for name in names)
    assert {path.name for path in folder.iterdir()} == {f"{name}.parquet" for name in names} | {
        "manifest.json"
    }
    genre = con.execute(f"SELECT genre FROM '{folder}/corpus.genre.parquet'").fetchall()
    assert genre == [("comment",), ("poem",)]
    assert json.loads((folder / "manifest.json").read_text("utf-8")) == manifest
    assert manifest["view_versions"] == {"bench.kinds": "bench.kinds_v1"}
    assert next(file["rows"] for file in manifest["files"] if file["name"] == "corpus.genre") == 2


def test_the_same_database_gives_the_same_bytes(
    con: duckdb.DuckDBPyConnection, tmp_path: Path
) -> None:
    con.execute("INSERT INTO run.number SELECT range FROM range(1000, 200000)")
    con.execute("SET threads = 2")
    write(con, tmp_path / "one")
    write(con, tmp_path / "a much longer path" / "two")
    assert contents(tmp_path / "one" / "v1") == contents(
        tmp_path / "a much longer path" / "two" / "v1"
    )
    assert con.execute("SELECT current_setting('threads')").fetchall() == [(2,)]


def test_row_order_in_the_database_does_not_matter(
    con: duckdb.DuckDBPyConnection, tmp_path: Path
) -> None:
    write(con, tmp_path / "one")
    con.execute(
        "CREATE TEMP TABLE genre AS FROM corpus.genre ORDER BY genre DESC; DELETE FROM corpus.genre"
    )
    con.execute("INSERT INTO corpus.genre FROM temp.genre")
    write(con, tmp_path / "two")
    assert contents(tmp_path / "one" / "v1") == contents(tmp_path / "two" / "v1")


def test_a_tag_is_written_once(con: duckdb.DuckDBPyConnection, tmp_path: Path) -> None:
    first = write(con, tmp_path)
    before = contents(tmp_path / "v1")
    assert write(con, tmp_path) == first
    con.execute("INSERT INTO corpus.genre VALUES ('plan', 'functional', '方案', 'plan')")
    with pytest.raises(DataError, match="this tag exists and differs"):
        write(con, tmp_path)
    assert contents(tmp_path / "v1") == before
    assert [path.name for path in tmp_path.iterdir() if "draft" in path.name] == []
    write(con, tmp_path, tag="v2")


def test_a_killed_release_leaves_no_tag(
    con: duckdb.DuckDBPyConnection, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    leftover = tmp_path / ".v1.draft"
    leftover.mkdir()
    (leftover / "half.parquet").write_bytes(b"x")
    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(release, "_copy", lambda *_: (_ for _ in ()).throw(KeyboardInterrupt))
        write(con, tmp_path)
    assert not (tmp_path / "v1").exists()
    write(con, tmp_path)
    assert "half.parquet" not in contents(tmp_path / "v1")


@pytest.mark.parametrize("tag", ["", "..", ".", "a/b", "a b", "版本", "v1\n"])
def test_a_tag_that_is_no_folder_name_is_refused(
    con: duckdb.DuckDBPyConnection, tmp_path: Path, tag: str
) -> None:
    with pytest.raises(UsageError, match="only letters"):
        write(con, tmp_path / "release", tag=tag)
    assert not (tmp_path / "release").exists()


def test_a_view_that_fails_is_named(con: duckdb.DuckDBPyConnection, tmp_path: Path) -> None:
    con.execute("CREATE VIEW bench.broken AS SELECT CAST(genre AS INTEGER) AS n FROM corpus.genre")
    with pytest.raises(DataError, match=r"bench\.broken cannot be released"):
        write(con, tmp_path)
    assert not (tmp_path / "v1").exists()


def test_a_read_only_connection_is_enough(tmp_path: Path) -> None:
    path = tmp_path / "db" / "t.duckdb"
    with open_database(path, None) as con:
        con.execute("INSERT INTO corpus.genre VALUES ('poem', 'creative', '诗歌', 'poem')")
    with open_database(path, None, read_only=True) as con:
        manifest = write(con, tmp_path / "release")
    assert "corpus.genre" in {file["name"] for file in manifest["files"]}
