"""`make score` on a fresh clone: the sample corpus, its leaderboard and all that lies behind it."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from itertools import pairwise
from math import sqrt
from pathlib import Path
from statistics import mean, stdev

import duckdb
import pytest
from scipy import stats

from towbench.tests.project import Project

KNOWN_ORDER = [
    "embedded/drop-paragraph",
    "embedded/lead-half",
    "embedded/shuffle-words",
    "embedded/prompt-copy",
]


def test_the_leaderboard_is_printed_in_the_known_order(scored: Project) -> None:
    printed = (scored.folder / "printed.txt").read_text()
    places = [printed.index(system) for system in KNOWN_ORDER]
    assert places == sorted(places)
    assert "not for publication" in printed


def test_each_gap_of_the_known_order_is_beyond_chance(scored: Project) -> None:
    """Paired 95 % t interval over items of each adjacent difference lies above 0."""
    rows = scored.query(
        """
        SELECT writing.item_id, tree_score.system, tree_score.score
        FROM bench.tree_score AS tree_score
        INNER JOIN corpus.writing AS writing USING (benchmark, writing_id)
        WHERE tree_score.score IS NOT NULL
        """
    )
    score = {(item, system): float(str(value)) for item, system, value in rows}
    for better, worse in pairwise(KNOWN_ORDER):
        gaps = [
            score[item, better] - score[item, worse]
            for item, system in score
            if system == better and (item, worse) in score
        ]
        margin = stats.t.ppf(0.975, len(gaps) - 1) * stdev(gaps) / sqrt(len(gaps))
        assert mean(gaps) - margin > 0, (better, worse, mean(gaps), margin, len(gaps))


def test_the_control_is_judged_and_never_ranked(scored: Project) -> None:
    rows = scored.query(
        "SELECT rank, score FROM bench.leaderboard WHERE is_control AND scope = 'all'"
    )
    assert len(rows) == 1
    assert rows[0][0] is None and rows[0][1] is not None


def test_every_genre_group_and_task_has_items(scored: Project) -> None:
    pairs = scored.query("SELECT DISTINCT task, kind FROM bench.dataset_statistics")
    assert {task for task, _ in pairs} >= {"completion", "guide", "open"}
    genres = {genre for (genre,) in scored.query("SELECT DISTINCT genre FROM corpus.item")}
    assert len(genres) >= 11, sorted(map(str, genres))


def test_every_page_is_accounted_for(scored: Project) -> None:
    (pages,) = scored.query("SELECT count(*) FROM raw.page")[0]
    (fetched,) = scored.query("SELECT sum(n) FROM bench.corpus_funnel WHERE stage = 'fetched'")[0]
    assert pages == fetched
    reasons = {str(status) for (status,) in scored.query("SELECT DISTINCT status FROM raw.page")}
    reasons |= {
        str(status) for (status,) in scored.query("SELECT DISTINCT status FROM corpus.document")
    }
    assert reasons >= {
        "ok", "robots", "http_error", "not_article", "too_short", "duplicate", "near_duplicate",
        "below_quality",
    }  # fmt: skip


def test_the_texts_of_the_sites_arrive_unharmed(scored: Project) -> None:
    """Title and every paragraph or verse line of a bundled text stand in its document."""
    folder = Path(__file__).resolve().parents[2] / "spiders" / "sample_texts"
    documents = {
        str(title): str(text)
        for title, text in scored.query(
            "SELECT title, text FROM corpus.document WHERE status IN ('ok', 'below_quality')"
        )
    }
    missing = []
    for file in sorted(folder.glob("*.md")):
        _, front, body = file.read_text("utf-8").split("---\n", 2)
        title = re.search(r"^title: (.*)$", front, re.MULTILINE)
        assert title is not None
        text = documents.get(title[1].strip().strip("'\""))
        if text is None:
            missing.append(file.name)
            continue
        lost = [line for line in body.splitlines() if squeeze(line) not in squeeze(text)]
        assert not lost, (file.name, lost[:3])
    assert len(missing) <= 0.1 * len(list(folder.glob("*.md"))), missing


def squeeze(text: str) -> str:
    return re.sub(r"\s", "", text)


def test_verse_keeps_its_lines_and_stanzas(scored: Project) -> None:
    rows = scored.query(
        """
        SELECT document.text
        FROM corpus.document AS document
        INNER JOIN bench.document_label_v1 AS label USING (benchmark, document_id)
        WHERE label.genre = 'poem' AND document.status = 'ok' AND document.lang = 'zh'
        """
    )
    assert len(rows) >= 3
    for (text,) in rows:
        stanzas = str(text).split("\n\n")
        assert len(stanzas) >= 5
        assert max(stanza.count("\n") for stanza in stanzas) >= 1


def test_all_checks_hold(scored: Project) -> None:
    assert "All checks hold." in scored.run("check")


def test_nothing_is_asked_twice(scored: Project) -> None:
    before = scored.query_ledger("SELECT count(*) FROM intent")
    tables = "SELECT count(*) FROM corpus.writing UNION ALL SELECT count(*) FROM judge.leaf_score"
    rows = scored.query(tables)
    scored.run("corpus")
    scored.run("score")
    assert scored.query_ledger("SELECT count(*) FROM intent") == before
    assert scored.query(tables) == rows


def test_every_row_of_a_model_names_it(scored: Project) -> None:
    assert scored.query("SELECT DISTINCT judge FROM judge.leaf_score ORDER BY ALL") == [
        ("embedded/rules-1",),
        ("rule",),
    ]
    assert scored.query("SELECT DISTINCT negotiator FROM judge.edge_weight") == [
        ("embedded/rules-1",)
    ]
    assert scored.query("SELECT DISTINCT model FROM corpus.annotation") == [("embedded/rules-1",)]


@pytest.mark.slow
def test_every_view_answers_in_the_shell_of_pypi(scored: Project) -> None:
    views = [
        name
        for (name,) in scored.query(
            "SELECT view_name FROM duckdb_views() WHERE schema_name = 'bench' ORDER BY ALL"
        )
    ]
    assert len(views) >= 22
    script = "\n".join(
        f"SELECT '{view}' AS view, count(*) AS n FROM (SELECT * FROM bench.{view});"
        for view in views
    )
    shell = Path(sys.executable).with_name("duckdb")
    done = subprocess.run(
        [shell, "-readonly", "-bail", "-csv", scored.db],
        input=script, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("view,n") == len(views)


@pytest.mark.slow
def test_a_release_of_the_same_database_has_the_same_bytes(scored: Project) -> None:
    for folder in ("one", "two"):
        scored.run("release", "v1", RELEASE=folder)
    one, two = (scored.folder / name / "v1" for name in ("one", "two"))
    names = sorted(path.name for path in one.iterdir())
    assert names == sorted(path.name for path in two.iterdir())
    assert {"manifest.json", "bench.leaderboard.parquet", "judge.leaf_score.parquet"} <= set(names)
    for name in names:
        assert (one / name).read_bytes() == (two / name).read_bytes(), name


@pytest.mark.slow
def test_an_edited_reference_is_judged_again_and_counted_once(
    scored: Project, tmp_path: Path
) -> None:
    project = Project(tmp_path)
    shutil.copytree(scored.folder / "data", tmp_path / "data")
    with duckdb.connect(str(project.db)) as con:
        ((item,),) = con.execute(
            "SELECT item_id FROM corpus.item WHERE task = 'guide' ORDER BY item_id LIMIT 1"
        ).fetchall()
        con.execute(
            "UPDATE corpus.item SET reference = reference || '末尾添上的一句话，说的是别的事。' "
            "WHERE item_id = ?",
            [item],
        )
    before = project.query(
        f"SELECT count(*) FROM judge.leaf_score WHERE writing_id LIKE '{item}:%'"
    )
    project.run("score")
    after = project.query(f"SELECT count(*) FROM judge.leaf_score WHERE writing_id LIKE '{item}:%'")
    assert int(str(after[0][0])) > int(str(before[0][0]))
    assert "All checks hold." in project.run("check")
    rows = project.query(
        f"SELECT count(*), count(score) FROM bench.tree_score WHERE writing_id LIKE '{item}:%'"
    )
    assert rows == [(5, 5)]


@pytest.mark.parametrize("word", ["corpus", "score", "import", "status", "check", "sql", "release"])
def test_every_command_has_help(word: str, scored: Project) -> None:
    assert "Usage" in scored.run(word, "--help")
