"""Candidates through the engine for any benchmark: sampling recorded, resumable, samples respected."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from towbench.ingest.howtobench import import_howtobench
from towbench.schemas.asked import ask_generate, ask_score, asking_for_plan
from towbench.schemas.errors import DataError, UsageError
from towbench.schemas.settings import Settings
from towbench.sql.runner import Workspace, open_workspace, plan_steps, run_steps
from towbench.tests.project import Project
from towbench.tests.scripted_endpoint import KEY, Asked, Reply, chat, refuse, serving
from towbench.tests.template import fresh_database
from towbench.tests.three_items import write_benchmark

ESSAY = "河水退下去以后，渡口露出一排青石。"
PUBLISHED = {"max_tokens": 16000, "temperature": 0.7, "top_k": 20, "top_p": 0.8}


def write(asked: Asked, number: int) -> Reply:
    return chat(f"<think>写什么好</think>{ESSAY}第{number}篇。")


def settings(folder: Path, url: str, **more: object) -> Settings:
    if not (folder / "t.duckdb").exists():
        fresh_database(folder / "t.duckdb")
    chosen = {
        "db": folder / "t.duckdb", "ledger": folder / "l.duckdb", "base_url": url, "api_key": KEY,
        "writers": ("local/writer",),
    }  # fmt: skip
    return Settings.model_validate(chosen | more)


def generate(chosen: Settings, data: Path | None = None) -> list[tuple[object, ...]]:
    """Import a benchmark, let the writers write, and give the rows of their texts."""
    with open_workspace(chosen, "generate") as work:
        if data:
            import_howtobench(work.con, data, "b", work.run_id)
        ask_generate(work.con, chosen)
        run_steps(work, "generate", lambda *_: None)
        return texts(work)


def texts(work: Workspace) -> list[tuple[object, ...]]:
    return work.con.execute(
        "SELECT writing_id, sample, text, judged_text, status, sampling FROM corpus.writing "
        "WHERE call_key IS NOT NULL ORDER BY ALL"
    ).fetchall()


def test_an_imported_benchmark_is_written_for_with_the_published_sampling(tmp_path: Path) -> None:
    with serving(write) as endpoint:
        rows = generate(settings(tmp_path, endpoint.url), write_benchmark(tmp_path / "data"))
        assert len(endpoint.asked) == 3
        assert all(
            one.body[name] == value for one in endpoint.asked for name, value in PUBLISHED.items()
        )
        assert all("model" in one.body and one.body["model"] == "writer" for one in endpoint.asked)
    assert [row[0] for row in rows] == [f"{item}:local/writer:0" for item in ("c1", "g1", "o1")]
    for _, _, text, judged_text, status, sampling in rows:
        assert str(text).startswith(ESSAY) and text == judged_text and status == "ok"
        assert json.loads(str(sampling)) == PUBLISHED
    gap = next(one.prompt for one in endpoint.asked if "c1" in one.prompt)
    assert "[fill in the blank]" in gap and "范文" not in gap


def test_samples_are_written_once_and_more_are_added(tmp_path: Path) -> None:
    with serving(write) as endpoint:
        data = write_benchmark(tmp_path / "data")
        first = generate(settings(tmp_path, endpoint.url, samples=2, limit=2), data)
        assert len(first) == 4 == len(endpoint.asked) and {row[1] for row in first} == {0, 1}
        again = generate(settings(tmp_path, endpoint.url, samples=2, limit=2))
        assert again == first and len(endpoint.asked) == 4
        more = generate(settings(tmp_path, endpoint.url, samples=3))
        assert len(more) == 9 == len(endpoint.asked) and set(first) < set(more)


def test_what_failed_is_asked_again_by_the_next_run(tmp_path: Path) -> None:
    def failing(asked: Asked, number: int) -> Reply:
        return refuse(400, "no such thing") if "o1" in asked.prompt else write(asked, number)

    with serving(failing) as endpoint:
        rows = generate(settings(tmp_path, endpoint.url), write_benchmark(tmp_path / "data"))
        assert [row[4] for row in rows] == ["ok", "ok", "no_text"]
    with serving(write) as endpoint:
        rows = generate(settings(tmp_path, endpoint.url))
        assert [row[4] for row in rows] == ["ok"] * 3 and len(endpoint.asked) == 1


def test_top_k_is_left_out_where_the_endpoint_does_not_take_it(tmp_path: Path) -> None:
    def strict(asked: Asked, number: int) -> Reply:
        if "top_k" in asked.body:
            return refuse(400, "Unrecognized request argument supplied: top_k")
        return write(asked, number)

    with serving(strict) as endpoint:
        rows = generate(settings(tmp_path, endpoint.url), write_benchmark(tmp_path / "data"))
        assert [row[4] for row in rows] == ["ok"] * 3
    with open_workspace(settings(tmp_path, endpoint.url), "generate") as work:
        notes = work.con.execute(
            "SELECT DISTINCT error FROM ledger.outcome WHERE status = 'ok'"
        ).fetchall()
    assert ("sent without top_k",) in notes


def test_a_later_score_of_an_import_writes_nothing(tmp_path: Path) -> None:
    with serving(write) as endpoint:
        chosen = settings(tmp_path, endpoint.url, limit=1)
        generate(chosen, write_benchmark(tmp_path / "data"))
        with open_workspace(chosen, "score") as work:
            ask_score(work.con, settings(tmp_path, endpoint.url, limit=3))
            rows = work.con.execute("SELECT count(*) FROM run.asked WHERE kind = 'writer'")
            assert rows.fetchall() == [(0,)]


def test_the_plan_counts_what_writers_that_are_named_would_write(tmp_path: Path) -> None:
    chosen = settings(tmp_path, "http://127.0.0.1:9/v1", samples=2)
    with open_workspace(chosen, "plan") as work:
        import_howtobench(work.con, write_benchmark(tmp_path / "data"), "b", work.run_id)
        with asking_for_plan(work.con, chosen):
            plan_steps(work)
            rows = work.con.execute(
                "SELECT model, n_call FROM pending.plan WHERE stage = 'write'"
            ).fetchall()
    assert rows == [("local/writer", 6)]


def test_writers_must_be_named_and_items_be_there(tmp_path: Path) -> None:
    chosen = Settings(db=fresh_database(tmp_path / "t.duckdb"), ledger=tmp_path / "l.duckdb")
    with open_workspace(chosen, "generate") as work:
        with pytest.raises(UsageError, match="TOWBENCH_WRITERS: name the models"):
            ask_generate(work.con, chosen)
        named = settings(tmp_path, "http://127.0.0.1:9/v1")
        with pytest.raises(DataError, match="holds no item of any benchmark"):
            ask_generate(work.con, named)


def test_only_the_writers_must_be_reachable(tmp_path: Path) -> None:
    chosen = settings(tmp_path, "http://127.0.0.1:9/v1", judges=("other/judge",))
    assert chosen.models("generate") == ("local/writer",)


@pytest.mark.slow
def test_the_command_line_generates_and_takes_outputs_of_others(tmp_path: Path) -> None:
    project = Project(tmp_path)
    project.run("import", str(write_benchmark(tmp_path / "data")), BENCHMARK="b")
    assert "TOWBENCH_WRITERS" in project.run("generate", code=2)
    with serving(write) as endpoint:
        url, writer = endpoint.url, "local/writer"
        printed = project.run("generate", LIMIT="2", BASE_URL=url, API_KEY=KEY, WRITERS=writer)
        assert writer in printed
        project.run("generate", BASE_URL=url, API_KEY=KEY, WRITERS=writer)
        assert len(endpoint.asked) == 3
    outputs = tmp_path / "outputs"
    outputs.mkdir()
    lines = [{"item_id": item, "system": "lab/m", "text": ESSAY} for item in ("c1", "nowhere")]
    (outputs / "a.jsonl").write_text("\n".join(map(json.dumps, lines)))
    printed = project.run("import", str(outputs), code=1)
    assert "a.jsonl:2: unknown item nowhere" in printed
    systems = project.query("SELECT system, count(*) FROM corpus.writing GROUP BY 1 ORDER BY 1")
    assert systems == [("alpha", 3), ("beta", 3), ("lab/m", 1), ("local/writer", 3)]
