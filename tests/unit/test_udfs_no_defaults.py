"""Where a model gave no verdict there is no value: not in the answer, not in a table, not in a mean."""

from __future__ import annotations

import hashlib
from pathlib import Path

import duckdb
import pytest

from towbench.schemas.asked import ask_score
from towbench.schemas.errors import DataError
from towbench.schemas.settings import Settings
from towbench.sql.runner import open_workspace, run_steps
from towbench.tests.cases_loader import fill
from towbench.tests.scripted_endpoint import ESSAY, KEY, Asked, Desk, Reply, chat, serving
from towbench.tests.template import fresh_database

JUDGES = ("one/judge-1", "two/judge-2", "three/judge-3")


def test_three_judges_without_a_verdict_make_no_score(tmp_path: Path) -> None:
    """cases B12: NULL beside its count, never NaN, through every step and view.

    The first run stops at the judges that fail (D21), the second goes on without them.
    """
    fresh_database(tmp_path / "a.duckdb")
    with serving(lambda asked, n: chat("I cannot evaluate this.")) as endpoint:
        settings = Settings(
            db=tmp_path / "a.duckdb", ledger=tmp_path / "l.duckdb", judges=JUDGES,
            base_url=endpoint.url, api_key=KEY,
        )  # fmt: skip
        with open_workspace(settings, "score") as work:
            fill(work.con, "corpus.item", [item(n) for n in range(2)])
            ask_score(work.con, settings)
            with pytest.raises(DataError, match="14 of 14 calls came to no value"):
                run_steps(work, "score", lambda *_: None)
        with open_workspace(settings, "score") as work:
            run_steps(work, "score", lambda *_: None)
            scores = work.con.execute(
                "SELECT DISTINCT score, CAST(status AS VARCHAR), reason FROM judge.leaf_score "
                "WHERE judge <> 'rule'"
            ).fetchall()
            trees = work.con.execute(
                "SELECT count(*), count(score), count(content) FROM bench.tree_score"
            ).fetchall()
            nodes = work.con.execute(
                "SELECT DISTINCT n_scored FROM bench.node_score WHERE score IS NULL"
            ).fetchall()
    assert scores == [(None, "unparsable", "no_verdict")]
    ((n, n_score, n_content),) = trees
    assert n >= 2 * len(JUDGES) and n_score == n_content == 0
    assert (0,) in nodes


def item(n: int) -> dict[str, str]:
    return {
        "benchmark": "t", "item_id": f"i{n}", "task": "open", "genre": "fiction", "lang": "en",
        "instruction": f"Write about ferry {n}.", "status": "accepted", "reference": f"{n} {ESSAY}",
        "instruction_hash": hashlib.sha256(b"Write about ferry %d." % n).hexdigest(),
        "reference_hash": hashlib.sha256(f"{n} {ESSAY}".encode()).hexdigest(),
    }  # fmt: skip


@pytest.mark.parametrize(
    ("score", "status"), [("nan", "ok"), ("inf", "ok"), (None, "ok"), ("5", "unparsable")]
)
def test_the_table_refuses_what_is_no_score(score: str | None, status: str, tmp_path: Path) -> None:
    """cases B11, B12: a score without a verdict, a verdict without a score, NaN."""
    with duckdb.connect(str(fresh_database(tmp_path / "a.duckdb"))) as con:
        row = {"benchmark": "t", "writing_id": "w", "leaf": "logic", "judge": "a/x", "repeat": "0",
               "reference_mode": "human", "presentation": "reference_first", "input_hash": "h",
               "prompt_id": "logic_v1.en", "parser_version": "p", "status": status}  # fmt: skip
        with pytest.raises(duckdb.ConstraintException, match="CHECK"):
            fill(con, "judge.leaf_score", [row | {"score": score}])


def test_a_filter_passes_fails_or_does_not_know(tmp_path: Path) -> None:
    """cases B13: thoughts ate the budget: 200, empty, billed; that is no pass and no fail."""

    def script(asked: Asked, n: int) -> Reply:
        if "number 0" in asked.prompt:
            spent = chat("", finish="length")
            return spent | {"usage": {"prompt_tokens": 900, "completion_tokens": 512}}
        names = ("plot", "language", "theme", "emotion", "originality", "characters")
        overall = 5 if "number 1" in asked.prompt else 2
        scores = ", ".join(f'"{name}": {overall}' for name in names)
        return chat(f'{{"dimensions": {{{scores}}}, "reason": "r", "overall": {overall}}}')

    with serving(script) as endpoint:
        desk = Desk(tmp_path, endpoint.url)
        for n in range(3):
            desk.add(f"{n:064}", prompt_id="quality_fiction_v1.en", instruction=None,
                     reference=None, text=f"{ESSAY} Text number {n}.",
                     dimensions="plot\nlanguage\ntheme\nemotion\noriginality\ncharacters")  # fmt: skip
        answers = desk.ask(function="filter_quality")
        spent = desk.rows(
            "SELECT DISTINCT completion_tokens, usage_unknown FROM ledger.attempt "
            "WHERE status = 'truncated'"
        )
        desk.close()
    assert answers[0] == (None, "truncated", None)
    assert [(status, '"overall": ' in str(value)) for value, status, _ in answers[1:]] == [
        ("ok", True), ("ok", True),
    ]  # fmt: skip
    assert spent == [(512, False)]
