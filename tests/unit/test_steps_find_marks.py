"""Step 45 through the engine: marks of a model beside those of the rules, only where asked for."""

from pathlib import Path

from towbench.schemas.asked import ask_corpus
from towbench.schemas.settings import EMBEDDED, Settings
from towbench.spiders.sites.texts import sample_texts
from towbench.sql.runner import open_workspace, run_steps
from towbench.tests.template import fresh_database

KEPT = ("prose_radio", "prose_saltfield", "comment_bench", "argue_useless")
CONTACT = "联系电话：13912345678。"


def marks(folder: Path, settings: Settings) -> list[tuple[object, ...]]:
    with open_workspace(settings, "corpus") as work:
        for text in sample_texts():
            if text.name in KEPT:
                work.con.execute(
                    "INSERT OR IGNORE INTO corpus.document BY NAME SELECT $id AS document_id,"
                    " 'b' AS benchmark, 's' AS source, $id AS url, 'zh' AS lang, $text AS text,"
                    " sha256($text) AS text_hash, 1 AS n_part, TIMESTAMP '2026-01-01' AS fetched_at,"
                    " 'x' AS extractor_version, 'x' AS input_hash, 'ok' AS status, uuid() AS run_id",
                    {"id": text.name, "text": f"{text.body}\n\n{CONTACT}"},
                )
        ask_corpus(work.con, settings, "b")
        run_steps(work, "corpus", lambda *_: None)
        return list(
            work.con.execute(
                """
                SELECT mark.kind, mark.excerpt, substr(document.text, mark.start_at + 1, 11)
                FROM bench.mark_v1 AS mark
                INNER JOIN corpus.document AS document ON document.document_id = mark.target_id
                WHERE mark.target = 'document' AND document.status = 'ok' AND mark.kind LIKE 'pii%'
                ORDER BY ALL
                """
            ).fetchall()
        )


def test_a_marker_is_asked_only_when_named_and_its_finds_are_hidden(tmp_path: Path) -> None:
    fresh_database(tmp_path / "t.duckdb")
    plain = Settings(db=tmp_path / "t.duckdb", ledger=tmp_path / "l.duckdb")
    by_rule = marks(tmp_path, plain)
    assert by_rule and {row[:2] for row in by_rule} == {("pii_mobile", "139*****678")}
    asked = marks(tmp_path, plain.model_copy(update={"marker": EMBEDDED}))
    by_model = [row for row in asked if row[0] == "pii_model"]
    assert by_model == [("pii_model", "1*********8", "13912345678")] * len(by_rule)
    assert [row for row in asked if row[0] != "pii_model"] == by_rule
    with open_workspace(plain, "corpus") as work:
        [(n, value)] = work.con.execute(
            "SELECT count(*), max(value) FROM corpus.annotation WHERE stage = 'marks'"
        ).fetchall()
    assert (n, value) == (len(by_rule), "1")
    assert marks(tmp_path, plain) == by_rule
