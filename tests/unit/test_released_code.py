"""`tow_released` against the published rules, restated here from SPEC 4 and computed in Python.

2,000 random writings of all tasks get the same replies on both sides: one in-range verdict a leaf,
four weights that sum to 1. The root scores must agree to 1e-4.
"""

from __future__ import annotations

import json
import random
import re
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from towbench.schemas.asked import ask_score, select
from towbench.schemas.settings import Settings
from towbench.sql.runner import open_workspace, run_steps
from towbench.tests.template import fresh_database
from towbench.udfs import negotiate_weights, score_leaf
from towbench.udfs.reply import Asked, read

TASKS = ("completion", "guide", "open")
CONTENT = ("opening_ending", "language_rhetoric", "logic", "emotion")
JUDGED = (*CONTENT, "instance", "plot", "paragraphing", "impression")
TITLES = (
    r"^#{1,6}\s+.+",
    r"^[一二三四五六七八九十百]+[、.．]\s*.+",
    r"^第[一二三四五六七八九十百]+[章节部分]\s*.+",
    r"^\d+[、.．]\s*.+",
)
PROSE = "河水退下去以后，渡口露出一排青石，老周每天清早来数石头。" * 3
LINES = (
    "# 渡口", "## 渡口的早晨", "### 石头", "#### 石头上的字", "#无空格", "# ", "一、缘起", "十二．尾声",
    "第三章 桥", "第十部分 河", "第二条 办法", "1. 修桥", "12、清账", "3.5 million people", "（一）小题",
    "- 一项", "  ## 缩进的题", PROSE,
    "他说，桥是给人走的，船是给人等的。", "", "The ferry stopped running the winter I turned nine.",
)  # fmt: skip


@dataclass(frozen=True)
class Said:
    """What judge and negotiator said of one writing and its item."""

    task: str
    text: str
    weights: dict[str, float]
    scores: dict[str, int]


def published_format(text: str) -> float:
    """0, 5 or 10 for the headings of a text."""
    titles = [
        line.strip()
        for line in text.split("\n")
        if any(re.match(pattern, line.strip()) for pattern in TITLES)
    ]
    if not titles:
        return 10 if len(text) < 500 else 5
    depths = [len(title) - len(title.lstrip("#")) for title in titles if title.startswith("#")]
    jumps = any(b - a > 1 for a, b in pairwise(depths))
    return 0 if jumps else 10


def published_score(said: Said) -> float:
    """The root score as the published code computes it."""
    own = [said.weights[leaf] for leaf in CONTENT]
    inserted = max(0.0, min(sum(own) / 4, 0.3))
    weights = [own[0], own[1], inserted, own[2], own[3]]
    order = (CONTENT[0], CONTENT[1], "instance", CONTENT[2], CONTENT[3])
    content = sum(
        weight / sum(weights) * said.scores[leaf]
        for weight, leaf in zip(weights, order, strict=True)
    )
    if said.task == "completion":
        return 5 / 6 * content + 1 / 6 * said.scores["impression"]
    plot = said.scores["plot"]
    plot_points = 0 if plot <= 3 else 5 if plot <= 7 else 10
    paragraphs = 5 * (min(max(said.scores["paragraphing"], 1), 3) - 1)
    form = (plot_points + published_format(said.text) + paragraphs) / 3
    return 5 / 9 * content + 3 / 9 * form + 1 / 9 * said.scores["impression"]


def drawn(draw: random.Random, item: int) -> tuple[str, dict[str, float]]:
    """Task and weights of an item; a fifth of the items has a negative weight."""
    parts = [draw.randint(0, 60) for _ in range(3)]
    if item % 5 == 0:
        parts[draw.randrange(3)] = -draw.randint(1, 30)
    parts.append(100 - sum(parts))
    if abs(parts[-1]) > 100:
        return drawn(draw, item)
    weights = {leaf: part / 100 for leaf, part in zip(CONTENT, parts, strict=True)}
    return TASKS[item % 3], weights


def verdict(leaf: str, score: int, marked: bool) -> float:
    """What is read in a judge's reply, in one form or the other."""
    low, high = (1, 3) if leaf == "paragraphing" else (1, 10)
    reply = f"所以给 [[{score}]]" if marked else json.dumps({"reason": "r", "score": score})
    value = read(reply, score_leaf, Asked("zh", low, high)).value
    assert value is not None
    return float(str(value["score"]))


def test_root_scores_are_those_of_the_published_code(tmp_path: Path) -> None:
    draw = random.Random(20260421)
    said: dict[str, Said] = {}
    items, writings, weights, scores = [], [], [], []
    for n in range(500):
        task, negotiated = drawn(draw, n)
        reply = json.dumps({"weights": negotiated, "reason": "r"})
        value = read(reply, negotiate_weights, Asked("zh", dimensions=CONTENT)).value
        assert value is not None
        items.append((f"i{n}", task))
        weights += [(f"i{n}", leaf, weight) for leaf, weight in value.items()]
        for sample in range(4):
            key = f"i{n}:m:{sample}"
            # Every fourth text has no heading and about the length at which it should have one.
            lines = draw.choices(LINES, k=draw.randint(1, 14))
            lines = [PROSE] * draw.randint(3, 8) if sample == 3 else lines
            text = "\n".join(["河", *lines])
            verdicts = {leaf: draw.randint(1, 10) for leaf in JUDGED}
            verdicts["paragraphing"] = draw.randint(1, 3)
            said[key] = Said(task, text, negotiated, verdicts)
            writings.append((key, f"i{n}", sample, text))
            scores += [
                (key, leaf, verdict(leaf, score, sample % 2 == 0))
                for leaf, score in verdicts.items()
            ]
    fresh_database(tmp_path / "t.duckdb")
    settings = Settings(
        db=tmp_path / "t.duckdb", ledger=tmp_path / "l.duckdb", transport="replay",
        trees=("tow_released",), judges=("local/judge",), negotiator="local/judge",
    )  # fmt: skip
    with open_workspace(settings, "score") as work:
        con = work.con
        con.execute("CREATE TEMP TABLE said_item (item_id VARCHAR, task VARCHAR)")
        con.execute(
            "CREATE TEMP TABLE said_text (writing_id VARCHAR, item_id VARCHAR, sample INTEGER, "
            "text VARCHAR)"
        )
        con.execute("CREATE TEMP TABLE said_weight (item_id VARCHAR, node VARCHAR, weight DOUBLE)")
        con.execute("CREATE TEMP TABLE said_score (writing_id VARCHAR, leaf VARCHAR, score DOUBLE)")
        for table, rows in (
            ("said_item", items),
            ("said_text", writings),
            ("said_weight", weights),
            ("said_score", scores),
        ):
            columns = list(zip(*rows, strict=True))
            unnested = ", ".join("unnest(?)" for _ in columns)
            con.execute(f"INSERT INTO {table} SELECT {unnested}", [list(one) for one in columns])
        con.execute(
            """
            INSERT INTO corpus.item BY NAME
            SELECT
                'b' AS benchmark, item_id, task, 'fiction' AS genre, '小说' AS sub_task,
                'zh' AS lang, '写' || item_id AS instruction, '' AS grounding, '范文' AS reference,
                sha256(judged_instruction_v1('写' || item_id, '')) AS instruction_hash,
                sha256('范文') AS reference_hash,
                (SELECT run_id FROM pending.run) AS run_id
            FROM said_item
            """
        )
        con.execute(
            """
            INSERT INTO corpus.writing BY NAME
            SELECT
                'b' AS benchmark, writing_id, item_id, 'm' AS system, sample, text,
                text AS judged_text, 'ok' AS status, sha256(text) AS text_hash,
                (SELECT run_id FROM pending.run) AS run_id
            FROM said_text
            """
        )
        ask_score(con, settings)
        select(con, settings)
        con.execute(
            """
            INSERT INTO judge.edge_weight BY NAME
            SELECT
                cell.benchmark, cell.item_id, cell.tree, cell.node, cell.negotiator, cell.repeat,
                cell.prompt_id, cell.input_hash, cell.parser_version, said_weight.weight,
                'ok' AS status, (SELECT run_id FROM pending.run) AS run_id
            FROM bench.edge_cell_v1 AS cell
            INNER JOIN said_weight USING (item_id, node)
            """
        )
        con.execute(
            """
            INSERT INTO judge.leaf_score BY NAME
            SELECT
                cell.benchmark, cell.writing_id, cell.leaf, cell.judge, cell.repeat,
                cell.reference_mode, cell.presentation, cell.prompt_id, cell.input_hash,
                cell.parser_version, said_score.score, 'ok' AS status,
                (SELECT run_id FROM pending.run) AS run_id
            FROM bench.leaf_cell_v1 AS cell
            INNER JOIN said_score USING (writing_id, leaf)
            """
        )
        run_steps(work, "score", lambda *_: None)
        found = dict(
            con.execute(
                "SELECT writing_id, score FROM bench.node_score "
                "WHERE tree = 'tow_released_v1' AND node = 'root' AND system = 'm'"
            ).fetchall()
        )
    assert found.keys() == said.keys() and len(found) == 2000
    worst = max(abs(found[key] - published_score(one)) for key, one in said.items())
    assert worst < 1e-4
    assert {published_format(one.text) for one in said.values()} == {0, 5, 10}
