"""Language by script."""

import pytest

from towbench.ingest.lang import language


@pytest.mark.parametrize(
    ("text", "lang"),
    [
        ("河水在夜里涨了三寸。", "zh"),
        ("The river rose three inches in the night.", "en"),
        ("本文介绍 DuckDB 与 Python 的用法", "zh"),
        ("She wrote 道 on the wall and walked away from the old house.", "en"),
        ("", "en"),
    ],
)
def test_language(text: str, lang: str) -> None:
    assert language(text) == lang
