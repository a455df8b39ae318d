"""Jaccard similarity of grams: exact, blind to layout, NULL without any gram."""

import pyarrow as pa
import pytest

from towbench.udfs import compare_texts


def similarity(first: str | None, second: str | None) -> object:
    columns = (pa.chunked_array([pa.array([text], pa.string())]) for text in (first, second))
    return compare_texts.run(*columns).to_pylist()[0]


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ("河水在夜里涨", "河水在夜里涨", 1.0),
        ("河水，在夜里\n\n　　涨", "河水在夜里涨", 1.0),
        ("河水在夜里涨了", "水在夜里涨了三", 2 / 4),
        ("甲乙丙丁戊甲乙丙丁戊", "甲乙丙丁戊", 1 / 5),
        ("河水在夜里涨", "老人站在桥头", 0.0),
        ("河水", "河水", 1.0),
        ("河水在夜里涨", None, 0.0),
        (None, "，。", None),
    ],
)
def test_shared_grams_of_all_grams(
    first: str | None, second: str | None, expected: float | None
) -> None:
    assert similarity(first, second) == expected
