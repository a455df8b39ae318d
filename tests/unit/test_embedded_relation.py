"""A text against its instruction and reference."""

import pytest

from towbench.udfs.embedded.relation import BLANK, measure

TEXT = "河水退下去以后，渡口露出一排青石。老周每天清早来数石头。"


def test_the_reference_itself_is_fully_recalled() -> None:
    stats = measure("写一篇关于渡口的散文。", TEXT, TEXT, "zh")
    assert stats["recall"] == pytest.approx(1.0)
    assert stats["end_recall"] == pytest.approx(1.0)
    assert stats["length_ratio"] == 1.0


def test_without_reference_its_statistics_are_absent() -> None:
    assert not {"recall", "end_recall", "length_ratio"} & set(measure("写渡口", "", TEXT, "zh"))


def test_relevance_is_coverage_of_the_order() -> None:
    assert measure("渡口 青石", "", TEXT, "zh")["relevance"] == pytest.approx(1.0)
    assert measure("股票 基金", "", TEXT, "zh")["relevance"] == 0.0


def test_in_a_completion_relevance_is_taking_up_the_context() -> None:
    stats = measure(f"{TEXT}\n{BLANK}\n股票基金市场行情", "", TEXT, "zh")
    assert stats["fill"] == 1.0
    assert stats["relevance"] == pytest.approx(1.0)
    assert stats["novelty"] == pytest.approx(0.0)


def test_copied_windows() -> None:
    assert measure(f"请续写：{TEXT}", "", TEXT, "zh")["copied"] == 1.0
    assert measure("写渡口", "", TEXT, "zh")["copied"] == 0.0
