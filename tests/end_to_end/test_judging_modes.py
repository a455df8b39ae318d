"""Every way of judging at once, through the command line and over the wire: SPEC 4."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import pytest

from towbench.tests.project import Project
from towbench.tests.scripted_endpoint import KEY, Asked, serving
from towbench.tests.three_items import judge, write_benchmark

pytestmark = pytest.mark.slow

JUDGES = ("local/judge-a", "local/judge-b")
PANEL = "panel:local/judge-a+local/judge-b"
WITH_REFERENCE = ("human", "system:alpha")


@dataclass(frozen=True)
class Judged:
    """A scored project, and what its endpoint was asked."""

    project: Project
    asked: list[Asked]

    def query(self, sql: str) -> list[tuple[object, ...]]:
        return self.project.query(sql)


@pytest.fixture(scope="module")
def judged(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Judged]:
    project = Project(tmp_path_factory.mktemp("modes"))
    data = write_benchmark(project.folder / "small")
    project.run("import", str(data), BENCHMARK="small")
    with serving(judge) as endpoint:
        project.run(
            "score", BASE_URL=endpoint.url, API_KEY=KEY, JUDGES=",".join(JUDGES),
            NEGOTIATOR="local/negotiator", REPEATS="2", JUDGE_TEMPERATURE="0.7",
            REFERENCES="human,none,system:alpha", PRESENTATIONS="reference_first,candidate_first",
            TREES="tow,average,single,elaborated,auto_plan",
        )  # fmt: skip
    yield Judged(project, endpoint.asked)


def test_every_cell_has_its_row_and_all_checks_hold(judged: Judged) -> None:
    """8 texts: 3 controls, 5 of systems; o1 of alpha is none, and no reference for o1's others."""
    rows = judged.query(
        "SELECT reference_mode, presentation, CAST(status AS VARCHAR), count(*) "
        "FROM judge.leaf_score "
        "WHERE leaf = 'logic' GROUP BY ALL ORDER BY ALL"
    )
    assert rows == [
        ("human", "candidate_first", "no_text", 4),
        ("human", "candidate_first", "ok", 32),
        ("human", "reference_first", "no_text", 4),
        ("human", "reference_first", "ok", 32),
        ("none", "single", "no_text", 4),
        ("none", "single", "ok", 32),
        ("system:alpha", "candidate_first", "no_reference", 8),
        ("system:alpha", "candidate_first", "no_text", 4),
        ("system:alpha", "candidate_first", "ok", 24),
        ("system:alpha", "reference_first", "no_reference", 8),
        ("system:alpha", "reference_first", "no_text", 4),
        ("system:alpha", "reference_first", "ok", 24),
    ]
    assert "All checks hold." in judged.project.run("check")


def test_a_leaf_without_reference_is_judged_once_a_judge_and_repeat(judged: Judged) -> None:
    rows = judged.query(
        "SELECT leaf, judge, reference_mode, presentation, count(*) FROM judge.leaf_score "
        "WHERE leaf IN ('paragraphing', 'formatting') GROUP BY ALL ORDER BY ALL"
    )
    assert rows == [
        ("formatting", "rule", "none", "single", 6),
        ("paragraphing", JUDGES[0], "none", "single", 12),
        ("paragraphing", JUDGES[1], "none", "single", 12),
    ]
    modes = judged.query(
        "SELECT reference_mode, judge, count(*) FROM bench.leaf_value WHERE leaf = 'formatting' "
        "AND tree = 'tow_v1' GROUP BY ALL ORDER BY ALL"
    )
    assert [row[0] for row in modes] == ["human", "human", "none", "none"] + ["system:alpha"] * 2


def test_the_order_of_the_texts_is_swapped_in_the_prompt(judged: Judged) -> None:
    logic = [one.prompt for one in judged.asked if "推理与行文逻辑" in one.prompt]
    orders = {
        (one.index("## 参考文本") < one.index("## 待评文本"))
        for one in logic
        if "## 参考文本" in one
    }
    assert orders == {True, False}
    assert any("## 参考文本" not in one for one in logic)


def test_the_text_of_another_system_is_shown_as_the_reference(judged: Judged) -> None:
    shown = [one.prompt for one in judged.asked if "## 参考文本" in one.prompt]
    parts = [one.partition("## 参考文本")[2].partition("\n## ")[0] for one in shown]
    assert any("alpha写g1" in part for part in parts) and any("范文g1" in part for part in parts)
    assert not any("beta写" in part for part in parts)


def test_temperature_of_repeats_is_sent_and_recorded(judged: Judged) -> None:
    scored = [one for one in judged.asked if "评价维度" not in one.prompt.rpartition("\n## ")[2]]
    assert 0.7 in {one.body["temperature"] for one in scored}
    [(sampling,)] = judged.query("SELECT DISTINCT sampling FROM run.asked WHERE kind = 'judge'")
    assert '"temperature": 0.7' in str(sampling)
    repeats = judged.query(
        "SELECT count(DISTINCT call_key) FROM judge.leaf_score WHERE writing_id = 'g1:beta:0' "
        "AND leaf = 'emotion' AND judge = 'local/judge-a' AND reference_mode = 'none'"
    )
    assert repeats == [(2,)]


def test_scores_are_averaged_over_presentations_then_repeats(judged: Judged) -> None:
    [(value,)] = judged.query(
        "SELECT value FROM bench.leaf_value WHERE writing_id = 'g1:beta:0' AND tree = 'single_v1' "
        "AND node = 'single' AND judge = 'local/judge-a' AND reference_mode = 'human'"
    )
    [(wanted,)] = judged.query(
        "SELECT avg(score) FROM (SELECT repeat, avg(score) AS score FROM judge.leaf_score "
        "WHERE writing_id = 'g1:beta:0' AND leaf = 'single' AND judge = 'local/judge-a' "
        "AND reference_mode = 'human' GROUP BY repeat)"
    )
    assert value == pytest.approx(wanted)


def test_a_panel_averages_the_judges_and_says_how_many(judged: Judged) -> None:
    rows = judged.query(
        f"""
        SELECT panel.score, avg(judge.score), panel.n_judge
        FROM bench.node_score AS panel
        INNER JOIN bench.node_score AS judge
            USING (benchmark, writing_id, tree, node, reference_mode)
        WHERE panel.judge = '{PANEL}' AND judge.judge LIKE 'local/%'
            AND panel.node = 'root' AND panel.tree = 'tow_v1' AND panel.reference_mode = 'human'
        GROUP BY ALL
        """
    )
    assert len(rows) >= 5
    scored = [row for row in rows if row[0] is not None]
    assert scored and all(row[0] == pytest.approx(row[1]) and row[2] == 2 for row in scored)


def test_the_control_is_scored_in_every_mode_and_never_ranked(judged: Judged) -> None:
    rows = judged.query(
        "SELECT DISTINCT tree, reference_mode, rank FROM bench.leaderboard "
        f"WHERE is_control AND scope = 'all' AND judge = '{PANEL}' AND n_used > 0"
    )
    assert {(row[0], row[1]) for row in rows} == {
        (tree, mode)
        for tree in ("tow_v1", "average_v1", "single_v1", "elaborated_v1", "auto_plan_v1")
        for mode in ("human", "none", "system:alpha")
    }
    assert {row[2] for row in rows} == {None}


def test_anchors_are_recorded_and_normalised_scores_stand_on_them(judged: Judged) -> None:
    rows = judged.query(
        "SELECT DISTINCT leaf, reference_mode, anchor FROM bench.judgement "
        "WHERE leaf IN ('logic', 'emotion', 'impression', 'auto_plan') ORDER BY ALL"
    )
    anchors = {(leaf, mode): anchor for leaf, mode, anchor in rows}
    for mode in WITH_REFERENCE:
        assert [anchors[leaf, mode] for leaf in ("logic", "emotion", "auto_plan")] == [8, 6, 6]
    assert (anchors["logic", "none"], anchors["emotion", "none"]) == (8, None)
    assert all(anchor is None for (leaf, _), anchor in anchors.items() if leaf == "impression")
    controls = judged.query(
        "SELECT judge, leaf, anchor, avg(normalised) FROM bench.anchor_normalised "
        "WHERE system = 'reference' AND reference_mode = 'human' AND anchor IS NOT NULL "
        "GROUP BY ALL"
    )
    assert len(controls) == 16
    assert all(mean == pytest.approx(anchor) for _, _, anchor, mean in controls)


def test_single_repeats_and_self_consistency_are_methods(judged: Judged) -> None:
    methods = {
        str(method)
        for (method,) in judged.query(
            "SELECT DISTINCT method FROM bench.method_score WHERE method LIKE 'tree|auto_plan_v1|%'"
        )
    }
    start = "tree|auto_plan_v1|root|local/judge-a|human"
    assert {start, f"{start}|repeat:0", f"{start}|repeat:1", f"{start}|sc:2"} <= methods


def test_sub_scores_hold_rubric_and_plan_of_every_judgement(judged: Judged) -> None:
    plan = judged.query(
        "SELECT count(DISTINCT dimension), sum(share), count(*) FROM judge.sub_score "
        "WHERE tree = 'auto_plan_v1' "
        "GROUP BY writing_id, judge, repeat, reference_mode, presentation"
    )
    n_scored = judged.query(
        "SELECT count(*) FROM judge.leaf_score WHERE leaf = 'auto_plan' AND status = 'ok'"
    )
    assert (len(plan),) == n_scored[0]
    assert all(row[0] == 2 == row[2] and row[1] == pytest.approx(1) for row in plan)
    rubric = judged.query(
        "SELECT writing_id, list_sort(list(DISTINCT dimension)) FROM judge.sub_score "
        "WHERE tree = 'elaborated_v1' AND writing_id LIKE '%:beta:0' GROUP BY ALL ORDER BY ALL"
    )
    assert rubric == [
        ("c1:beta:0", ["characters", "emotion", "language", "originality", "plot", "theme"]),
        ("g1:beta:0", ["evidence", "language_logic", "reflection", "structure", "theme"]),
        ("o1:beta:0", ["effect", "emotion", "form", "language", "theme"]),
    ]
    [(share,)] = judged.query(
        "SELECT count(share) FROM judge.sub_score WHERE tree = 'elaborated_v1'"
    )
    assert share == 0


def test_auto_plan_has_its_inconsistency(judged: Judged) -> None:
    rows = judged.query(
        "SELECT node, delta FROM bench.negotiation_inconsistency WHERE method LIKE "
        "'plan|auto_plan_v1|%' AND delta > 0"
    )
    assert {row[0] for row in rows} == {"内容", "语言"}
