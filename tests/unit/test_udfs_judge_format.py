"""The format rule: each verdict of SPEC 4 with the line that caused it."""

from typing import Any

import duckdb
import pyarrow as pa
import pytest
from duckdb.func import ARROW, SPECIAL

from towbench.udfs import judge_format
from towbench.udfs.judge_format import LONG_TEXT, formatting, formatting_released

LONG = "河水在夜里涨了三寸，老人站在桥头看了很久。" * 30
ORDERLY = "# 题\n## 一\n正文\n## 二\n正文"


@pytest.mark.parametrize(
    ("text", "genre", "score", "reason"),
    [
        (ORDERLY, "report", 10, "in_order"),
        ("一、a\n（一）b\n（二）c\n二、d\n（一）e", "plan", 10, "in_order"),
        ("一、a\n（一）b\n（二）c\n二、d\n（三）e\n（四）f", "regulation", 10, "in_order"),
        ("第一章 a\n第一条 b\n第二条 c\n第二章 d\n第三条 e", "regulation", 10, "in_order"),
        ("一、a\n1. b\n2. c\n正文\n1. d\n2. e", "plan", 10, "in_order"),
        ("（一）a\n（二）b\n（三）c", "fiction", 10, "in_order"),
        ("短文。", "fiction", 10, "none_needed"),
        (LONG, "poem", 10, "none_needed"),
        (LONG, "letters", 10, "none_needed"),
        (LONG, "fiction", 5, "no_headings"),
        ("河" * LONG_TEXT, "others", 5, "no_headings"),
        ("河" * (LONG_TEXT - 1), "others", 10, "none_needed"),
        ("一、\n正文\n二、题", "prose", 5, "no_title: 一、"),
        ("# 题\n### 跳", "report", 0, "level_jump: ### 跳"),
        ("一、a\n## b\n#### c", "report", 0, "level_jump: #### c"),
        ("（一）低\n一、高", "report", 0, "lower_level_first: （一）低"),
        ("## 低\n# 高", "report", 0, "lower_level_first: ## 低"),
        ("一、a\n三、b", "report", 0, "ordinal_missing: 三、b"),
        ("二、a", "report", 0, "ordinal_missing: 二、a"),
        ("一、a\n一、b", "report", 0, "ordinal_repeated: 一、b"),
        ("一、a\n二、b\n一、c", "report", 0, "ordinal_repeated: 一、c"),
        ("1. a\n1. b", "plan", 0, "ordinal_repeated: 1. b"),
        ("一、a\n（一）b\n二、c\n（三）d", "plan", 0, "ordinal_missing: （三）d"),
        ("正文\n- a\n- b", "prose", 0, "list_heavy: - a"),
        ("正文\n正文\n1. a", "comment", 10, "in_order"),
        ("正文\n- a\n- b", "plan", 10, "in_order"),
        ("# " + "长" * 60 + "\n### 跳", "plan", 0, "level_jump: ### 跳"),
        ("## " + "长" * 60 + "\n# 高", "plan", 0, "lower_level_first: ## " + "长" * 36 + "…"),
    ],
)
def test_formatting(text: str, genre: str, score: float, reason: str) -> None:
    assert formatting(text, genre) == (score, reason)


@pytest.mark.parametrize(
    ("text", "score"),
    [
        ("河" * 499, 10),
        ("河" * 500, 5),
        ("河" * 490 + " " * 10, 5),
        (LONG + "\n第一章 题", 10),
        (LONG + "\n一.题", 10),
        (LONG + "\n3.5 million", 10),
        (LONG + "\n  二、题", 10),
        (LONG + "\n#题", 5),
        (LONG + "\n# ", 5),
        (LONG + "\n（一）题", 5),
        (LONG + "\n第一条 题", 5),
        ("# a\n### b", 0),
        ("# a\n一、b\n### c", 0),
        ("### a\n# b\n## c", 10),
        ("一、a\n三、b\n一、c", 10),
        ("- a\n- b\n- c", 10),
    ],
)
def test_formatting_released(text: str, score: float) -> None:
    assert formatting_released(text)[0] == score


def call(rule: str | None, genre: str | None, text: str | None) -> dict[str, Any]:
    columns = [pa.chunked_array([pa.array([value], pa.string())]) for value in (rule, genre, text)]
    row: dict[str, Any] = judge_format.run(*columns).to_pylist()[0]
    return row


def test_rows() -> None:
    assert call("formatting_v1", "report", ORDERLY) == {
        "score": 10.0, "status": "ok", "reason": "in_order",
    }  # fmt: skip
    assert call("formatting_released_v1", None, "# a\n### b")["score"] == 0.0
    assert call("formatting_v1", None, LONG)["score"] == 5.0


@pytest.mark.parametrize(
    ("rule", "text", "status"),
    [("formatting_v9", "文", "not_applicable"), (None, "文", "not_applicable"),
     ("formatting_v1", None, "no_text"), ("formatting_v1", " \n", "no_text")],
)  # fmt: skip
def test_no_score_is_a_status(rule: str | None, text: str | None, status: str) -> None:
    row = call(rule, "report", text)
    assert (row["score"], row["status"]) == (None, status)


def test_it_runs_in_duckdb() -> None:
    con = duckdb.connect()
    con.create_function(
        judge_format.NAME, judge_format.run, list(judge_format.PARAMETERS), judge_format.RETURNS,
        type=ARROW, null_handling=SPECIAL, side_effects=True,
    )  # fmt: skip
    con.execute("CREATE TABLE t AS SELECT unnest(['# a', '# a\n### b']) AS x")
    rows = con.execute(
        "SELECT r.score FROM (SELECT judge_format('formatting_v1', 'plan', x) AS r FROM t) ORDER BY 1"
    ).fetchall()
    assert rows == [(0.0,), (10.0,)]
