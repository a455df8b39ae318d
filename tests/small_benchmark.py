"""A benchmark of four items with the texts of two systems, as an import leaves them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from towbench.schemas.asked import ask_score
from towbench.schemas.database import open_database
from towbench.schemas.settings import Settings
from towbench.sql.runner import open_workspace, run_steps
from towbench.tests.cases_loader import fill
from towbench.tests.template import fresh_database

TEXT = (
    "　　{0}老渡口在镇子北边，早先那里有一条船。撑船的人姓陆，话不多，却记得每个人的船钱。\n\n"
    "　　后来桥修好了，{0}船翻过来扣在岸上，成了孩子们的屋顶。雨天里，屋顶下面总有人说话。\n\n"
    "　　{0}我长大以后回去过一次，渡口还在，屋顶不见了。水面比我记得的窄，也比我记得的静。\n\n"
    "　　临走的时候，{0}一个孩子问我找什么。我说找一条船，他指了指桥，说那就是。"
)
"""A text with a place for words that make it another one."""
PERTURBED = 3


def small_benchmark(folder: Path) -> Path:
    """Make the database in `folder`."""
    fresh_database(folder / "t.duckdb")
    with open_workspace(settings(folder), "score") as work:
        for n in range(4):
            item = {
                "benchmark": "t", "item_id": f"i{n}", "task": "open", "genre": "prose",
                "lang": "zh", "reference": TEXT.format(f"那时候{n}，"),
                "instruction": f"写一篇关于渡口的散文，写人也写水，八百字上下，其{n}。",
            }  # fmt: skip
            fill(work.con, "corpus.item", [item])
            for system in ("A", "B"):
                add_writing(work.con, f"i{n}", system, TEXT.format(f"{system}说{n}，"))
    return folder


def add_writing(con: Any, item: str, system: str, text: str) -> None:
    """One more text of a system."""
    row = {
        "benchmark": "t", "writing_id": f"{item}:{system}:0", "item_id": item, "system": system,
        "text": text, "judged_text": text, "status": "ok",
    }  # fmt: skip
    fill(con, "corpus.writing", [row])


def settings(folder: Path, **chosen: Any) -> Settings:
    """Settings of the benchmark in `folder`."""
    return Settings(
        db=folder / "t.duckdb", ledger=folder / "l.duckdb", perturbed=PERTURBED, **chosen
    )


def score(folder: Path, **chosen: Any) -> Path:
    """Run all steps of `score`."""
    with open_workspace(settings(folder, **chosen), "score") as work:
        ask_score(work.con, work.settings)
        run_steps(work, "score", lambda *_: None)
    return folder


def ask(folder: Path, sql: str) -> list[tuple[Any, ...]]:
    """What a query answers."""
    with open_database(folder / "t.duckdb", None, read_only=True) as con:
        return list(con.execute(sql).fetchall())
