"""The embedded judge on the real half: what damages cost a text, and how it ranks the ten models.

Everything runs through the package: imported, perturbed, scored and read from `bench.robustness` and
`bench.leaderboard`. Only items whose second hash bit is 1 count, which the judge's ramps never saw
(facts/embedded_judge.md).
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import correlation
from typing import Any

import duckdb

from towbench.tests.bench.figure import Figure

DATA = Path(__file__).resolve().parents[3] / "shared" / "howtobench"
DAMAGES = (
    "drop", "repeat", "truncate", "shuffle_words", "prompt_copy", "shuffle_sentences",
    "shuffle_paragraphs",
)  # fmt: skip
PER_SYSTEM = 30
METHOD = "tree|tow_v1|root|embedded/rules-1|human"
# Published means (HoWToBench Table 4): completion, guide, open, all.
SCOPES = ("task:completion", "task:guide", "task:open", "all")
TABLE_4 = {
    "deepseek-r1": (6.10, 6.15, 6.06, 6.10),
    "o3-mini-2025-01-31": (6.16, 5.80, 5.69, 5.86),
    "gpt-4o-2024-11-20": (6.60, 5.61, 5.36, 5.81),
    "claude-3-5-sonnet-20241022": (5.55, 5.76, 5.43, 5.58),
    "gemini-2.0-flash": (5.43, 5.53, 5.33, 5.43),
    "deepseek-chat": (5.44, 5.52, 5.31, 5.42),
    "doubao-pro-32k-241215": (5.58, 5.24, 5.14, 5.34),
    "glm-4-plus-250111": (5.19, 5.51, 5.28, 5.34),
    "claude-3-haiku-20240307": (5.12, 5.08, 4.85, 5.01),
    "Llama-3.3-70B-Instruct": (4.36, 4.89, 4.47, 4.59),
}
_UNSEEN = """
SELECT item_id FROM corpus.item
WHERE substr(sha256(item_id), 64) IN ('2', '3', '6', '7', 'a', 'b', 'e', 'f')
ORDER BY item_id
"""
_CHANGES = """
SELECT perturbation, mean_change, ci_high, n, n_perturbed FROM bench.robustness WHERE method = ?
"""
_MEANS = "SELECT scope, system, score, n_used FROM bench.leaderboard WHERE NOT is_control"


def judge() -> list[Figure]:
    """Upper ends of the intervals of every damage, and Pearson with Table 4."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        _towbench(folder, "import", str(DATA))
        items = [str(item) for (item,) in _ask(folder, _UNSEEN)]
        _towbench(
            folder, "score", ITEMS=",".join(items), PERTURBATIONS=",".join(DAMAGES),
            PERTURBED=str(PER_SYSTEM),
        )  # fmt: skip
        changes = {row[0]: row[1:] for row in _ask(folder, _CHANGES, METHOD)}
        means = {(scope, system): row for scope, system, *row in _ask(folder, _MEANS)}
    figures = []
    for damage in DAMAGES:
        change, high, n, n_perturbed = changes[damage]
        figures.append(
            Figure(
                f"embedded judge, {damage}: {change:+.2f} on {n} of {n_perturbed} texts; upper end "
                "of its 95 % interval",
                high, "", 0,
            )
        )  # fmt: skip
    for place, scope in enumerate(SCOPES):
        ours = [means[scope, system][0] for system in TABLE_4]
        r = correlation(ours, [published[place] for published in TABLE_4.values()])
        n_item = max(means[scope, system][1] for system in TABLE_4)
        limit, note = (0.8, "") if scope == "all" else (-1.0, " (no limit)")
        figures.append(
            Figure(
                f"embedded judge, Pearson with Table 4, {scope}, {n_item} items{note}",
                r, "", limit, at_least=True,
            )
        )  # fmt: skip
    return figures


def _towbench(folder: Path, *words: str, **settings: str) -> None:
    kept = {name: value for name, value in os.environ.items() if "TOWBENCH" not in name}
    subprocess.run(
        [sys.executable, "-m", "towbench", *words],
        cwd=folder, check=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
        env=kept | {f"TOWBENCH_{name}": value for name, value in settings.items()},
    )  # fmt: skip


def _ask(folder: Path, query: str, *values: str) -> list[tuple[Any, ...]]:
    with duckdb.connect(str(folder / "data" / "towbench.duckdb"), read_only=True) as con:
        return con.execute(query, list(values)).fetchall()
