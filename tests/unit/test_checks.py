"""Every data check finds the fault it is named after, and nothing in sound data."""

import hashlib
from collections.abc import Iterator, Sequence

import duckdb
import pytest

from towbench.schemas.definitions import sql_files
from towbench.sql.runner import run_checks
from towbench.tests.cases_loader import CASES, Row, fill, load_case, open_tables

CHECKS = {file.name.removesuffix(".sql"): file.read_text("utf-8") for file in sql_files("checks")}
# Sound data that reach every layer: tables of golden cases.
SOUND = ["leaderboard_v1/tie_and_control", "corpus_funnel_v1/every_page_every_stage"]

B = {"benchmark": "t"}
SCORE = B | {
    "writing_id": "A1", "leaf": "logic", "judge": "a/x", "repeat": "0", "reference_mode": "human",
    "presentation": "reference_first", "prompt_id": "logic_v1.zh", "parser_version": "p1",
    "input_hash": "sha256(i1|r1|A1)", "score": "8", "status": "ok",
}  # fmt: skip
WEIGHED = hashlib.sha256(b"logic: about logic\nemotion: about emotion").hexdigest()
EDGE = B | {
    "item_id": "i1", "tree": "bad_v1", "node": "logic", "negotiator": "n/g", "repeat": "0",
    "prompt_id": "negotiate_v1.zh", "parser_version": "p1", "weight": "0.5", "status": "ok",
    "input_hash": f"sha256(i1|-|{WEIGHED})",
}  # fmt: skip


def node(name: str | None, parent: str | None, **cells: str) -> dict[str, str | None]:
    """A row of a tree `bad_v1`, by default a leaf of its own name with weight 1."""
    row = {
        "tree": "bad_v1", "version": "1", "node": name, "parent": parent, "leaf": name,
        "weight_rule": "fixed", "weight": "1", "map": "identity",
    }  # fmt: skip
    return row | cells


ROOT = node("root", None) | {"leaf": None}
ASK = [("run.asked", [B | {"kind": "tree", "name": "bad_v1"}])]
NEGOTIATED = [
    ROOT,
    node("logic", "root", weight_rule="negotiated"),
    node("emotion", "root", weight_rule="negotiated"),
]

TASK = B | {"round": "1", "kind": "picks", "item_id": "i1"}
REVIEW = TASK | {
    "reviewer": "r", "revision": "1", "place": "1", "decision": "reject", "reason": "x",
    "is_current": "true",
}  # fmt: skip
PART = B | {
    "writing_id": "A1", "tree": "auto_plan_v1", "judge": "a/x", "repeat": "0",
    "reference_mode": "human", "presentation": "reference_first", "dimension": "a", "score": "6",
    "status": "ok", "call_key": "k",
}  # fmt: skip
CANDIDATE = B | {"round": "1", "item_id": "i1"}
FUNNEL = "corpus_funnel_accounts_for_every_page"

# What to add to sound data so that a check must speak.
FAULTS: dict[str, Sequence[tuple[str, Sequence[Row]]]] = {
    "every_metric_has_a_number_or_a_reason": [
        ("judge.metric_score", [B | {"writing_id": "A1", "metric": "m", "status": "ok"}]),
    ],
    "weights_of_siblings_sum_to_one": [
        *ASK,
        (
            "judge.tree_node",
            [ROOT, node("logic", "root", weight="0.6"), node("emotion", "root", weight="0.6")],
        ),
    ],
    "every_leaf_has_a_weight": [
        *ASK,
        ("judge.tree_node", NEGOTIATED),
        ("judge.edge_weight", [EDGE]),
    ],
    "every_node_hangs_in_its_tree": [("judge.tree_node", [ROOT, node("logic", "nowhere")])],
    "every_leaf_of_a_judged_writing_has_a_row": [
        *ASK,
        (
            "judge.tree_node",
            [ROOT, node("logic", "root", weight="0.5"), node("emotion", "root", weight="0.5")],
        ),
    ],
    "embedded_judges_share_no_panel_with_models": [
        (
            "judge.panel",
            [{"panel": "mixed", "judge": "embedded/rules-1"}, {"panel": "mixed", "judge": "a/x"}],
        )
    ],
    "every_score_is_finite": [
        *ASK,
        ("judge.tree_node", [ROOT, node("logic", "root", map="affine", map_args="[inf, 0]")]),
    ],
    "no_leaf_is_scored_twice": [("judge.leaf_score", [SCORE])],
    "no_weight_is_given_twice": [("judge.edge_weight", [EDGE, EDGE])],
    "every_negotiated_node_is_described": [
        *ASK,
        ("judge.tree_node", [ROOT, node("impression", "root", weight_rule="negotiated")]),
    ],
    "one_prompt_and_parser_is_current": [
        ("judge.parser", [{"parser_version": "p2", "is_current": "true"}])
    ],
    "every_row_names_a_known_item_and_writing": [
        ("judge.leaf_score", [SCORE | {"writing_id": "nobody"}])
    ],
    "every_score_lies_within_its_bounds": [
        (
            "corpus.writing",
            [B | {"writing_id": "off", "item_id": "i1", "system": "off", "text_hash": "off"}],
        ),
        (
            "judge.leaf_score",
            [SCORE | {"writing_id": "off", "input_hash": "sha256(i1|r1|off)", "score": "11"}],
        ),
    ],
    "shares_of_one_plan_sum_to_one": [
        ("judge.sub_score", [PART | {"share": "0.7"}, PART | {"dimension": "b", "share": "0.2"}]),
    ],
    "every_leaf_map_covers_its_scale": [
        ("judge.tree_node", [ROOT, node("plot", "root", map="steps", map_args="[4, 0, 7, 5]")])
    ],
    "every_review_answers_its_task": [
        ("corpus.review_task", [TASK | {"kind": "items"}]),
        ("corpus.review", [REVIEW | {"kind": "items", "decision": "B"}]),
    ],
    "one_reviewer_holds_each_place": [
        ("corpus.review_task", [TASK]),
        ("corpus.review", [REVIEW, REVIEW | {"place": "2", "revision": "2"}]),
    ],
    "every_pick_hides_one_reference": [
        ("corpus.review_task", [TASK]),
        ("corpus.review_candidate", [CANDIDATE | {"letter": "A", "source": "reference"}]),
    ],
    "every_change_by_review_is_told": [
        ("corpus.review_task", [TASK | {"kind": "items"}]),
        ("corpus.review", [REVIEW | {"kind": "items", "decision": "revise"}]),
    ],
    "every_copy_names_its_original": [
        (
            "corpus.document",
            [B | {"document_id": "d", "source": "s", "url": "u", "status": "near_duplicate"}],
        )
    ],
}


@pytest.fixture(scope="module")
def tables() -> Iterator[duckdb.DuckDBPyConnection]:
    con = open_tables()
    yield con
    con.close()


@pytest.fixture
def con(tables: duckdb.DuckDBPyConnection) -> Iterator[duckdb.DuckDBPyConnection]:
    tables.begin()
    load_case(tables, CASES / SOUND[0])
    yield tables
    tables.rollback()


@pytest.mark.slow
@pytest.mark.parametrize("case", SOUND)
def test_sound_data_pass(tables: duckdb.DuckDBPyConnection, case: str) -> None:
    tables.begin()
    load_case(tables, CASES / case)
    failures = run_checks(tables)
    tables.rollback()
    assert failures == []


@pytest.mark.parametrize("check", [check for check in CHECKS if check != FUNNEL])
def test_check_finds_its_fault(con: duckdb.DuckDBPyConnection, check: str) -> None:
    assert con.execute(CHECKS[check]).fetchall() == []
    for table, rows in FAULTS[check]:
        fill(con, table, rows)
    assert con.execute(CHECKS[check]).fetchall() != []


@pytest.mark.parametrize(
    ("shares", "is_fault"),
    [
        ([("a", "0.7"), ("b", "0.3")], False),
        ([("a", None), ("b", None)], False),  # the elaborated rubric gives none
        ([("a", "1"), ("b", None)], True),
    ],
)
def test_shares_of_one_reply_are_looked_at_together(
    con: duckdb.DuckDBPyConnection, shares: list[tuple[str, str | None]], is_fault: bool
) -> None:
    rows: list[Row] = [PART | {"dimension": name, "share": share} for name, share in shares]
    fill(con, "judge.sub_score", rows)
    assert bool(con.execute(CHECKS["shares_of_one_plan_sum_to_one"]).fetchall()) == is_fault


def test_a_lost_page_is_found(tables: duckdb.DuckDBPyConnection) -> None:
    """No data can make the view lose a page, so a view that does stands in for it."""
    tables.begin()
    load_case(tables, CASES / SOUND[1])
    tables.execute("CREATE TEMP TABLE funnel AS SELECT * FROM bench.corpus_funnel_v1")
    tables.execute(
        "CREATE OR REPLACE TEMP VIEW losing AS SELECT * FROM funnel WHERE reason <> 'too_short'"
    )
    lost = tables.execute(CHECKS[FUNNEL].replace("bench.corpus_funnel_v1", "losing")).fetchall()
    tables.rollback()
    assert [(row[1], row[2], row[3], row[4]) for row in lost] == [("s", 3, 9, 8)]


@pytest.mark.parametrize("check", CHECKS)
def test_first_line_says_what_to_do(check: str) -> None:
    first = CHECKS[check].splitlines()[0]
    assert first.startswith("-- ")
    assert ": " in first


@pytest.mark.slow
def test_run_checks_says_what_is_wrong_and_checks_every_grain(
    con: duckdb.DuckDBPyConnection,
) -> None:
    fill(con, "judge.leaf_score", [SCORE])
    fill(con, "judge.parser", [{"parser_version": "p2", "is_current": "true"}])
    failures = {failure.check: failure for failure in run_checks(con)}
    twice = failures["no_leaf_is_scored_twice"]
    assert twice.says.startswith("A judgement is stored twice")
    assert twice.n_row == 1
    assert "writing_id=A1" in twice.examples[0]
    assert {"grain_of_leaf_input_v1", "grain_of_leaf_cell_v1"} <= failures.keys()
