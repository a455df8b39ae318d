"""Metrics of `make score`: overlap by default, the rest when asked for, and values from elsewhere."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from towbench.tests.project import Project

EMBEDDED = """
    SELECT count(*) FROM intent
    WHERE call_key IN (SELECT call_key FROM request WHERE stage = 'embed')
"""
pytestmark = pytest.mark.slow


@pytest.fixture
def copy(scored: Project, tmp_path: Path) -> Project:
    shutil.copytree(scored.folder / "data", tmp_path / "data")
    return Project(tmp_path)


def test_every_text_with_a_reference_has_every_overlap_metric(scored: Project) -> None:
    assert scored.query(
        "SELECT count(*) FROM bench.status WHERE stage = 'measure' AND handling <> 'good'"
    ) == [(0,)]
    assert scored.query(
        "SELECT count(DISTINCT metric), min(score) >= 0, max(score) <= 1 + 1e-9"
        " FROM judge.metric_score"
    ) == [(11, True, True)]


def test_metrics_say_what_was_done_to_a_reference(scored: Project) -> None:
    rows = scored.query(
        """
        SELECT system, method, avg(score)
        FROM bench.method_score
        WHERE method IN ('metric|rouge_1|human', 'metric|rouge_l|human')
        GROUP BY system, method
        """
    )
    means = {
        (str(system), str(method).split("|")[1]): float(str(mean)) for system, method, mean in rows
    }
    assert means["reference", "rouge_1"] == pytest.approx(1)
    assert means["reference", "rouge_l"] == pytest.approx(1)
    # Words out of order are the same words, but share no long sequence.
    assert means["embedded/shuffle-words", "rouge_1"] > 0.9
    assert (
        means["embedded/shuffle-words", "rouge_l"]
        < 0.7 * means["embedded/shuffle-words", "rouge_1"]
    )
    # Half a text has half the words, all in order.
    assert means["embedded/lead-half", "rouge_l"] == pytest.approx(
        means["embedded/lead-half", "rouge_1"], abs=0.02
    )
    assert means["embedded/prompt-copy", "rouge_1"] < means["embedded/lead-half", "rouge_1"]


@pytest.mark.slow
def test_similarity_is_computed_when_asked_for_and_not_again(copy: Project) -> None:
    copy.run("score", METRICS="bleu,rouge,similarity")
    assert copy.query(
        "SELECT count(*) = (SELECT count(*) FROM corpus.writing), avg(score) > 0.2"
        " FROM judge.metric_score WHERE metric LIKE 'similarity:%'"
    ) == [(True, True)]
    # The only texts without a number are too short for an embedded model.
    assert copy.query(
        "SELECT DISTINCT CAST(status AS VARCHAR), reason FROM judge.metric_score"
        " WHERE score IS NULL"
    ) == [("not_applicable", "too_few_letters")]
    n_attempt = copy.query_ledger(EMBEDDED)
    copy.run("score", METRICS="bleu,rouge,similarity")
    assert copy.query_ledger(EMBEDDED) == n_attempt
    assert copy.query("SELECT DISTINCT model FROM judge.call WHERE stage = 'embed'") == [
        ("embedded/ngrams-1",)
    ]


def test_values_from_elsewhere_come_in_by_file(copy: Project) -> None:
    [(writing_id,)] = copy.query("SELECT min(writing_id) FROM corpus.writing")
    path = copy.folder / "bertscore.csv"
    path.write_text(f"writing_id,metric,score\n{writing_id},bertscore,0.5\nnobody,bertscore,0.5\n")
    printed = copy.run("import", str(path), code=1)
    assert "1 metric values, 1 problems" in printed
    assert "bertscore.csv:3: sample has no writing 'nobody'" in printed
    assert copy.query(
        "SELECT writing_id, score FROM bench.method_score WHERE method = 'metric|bertscore|human'"
    ) == [(writing_id, 0.5)]
    copy.run("check")
