"""Every kind of fault that was seen in systems like this one (A to F, J) has a test that names it.

A test names a number in its docstring, that of its module or a parameter: `cases E28`, `"A5"`.
`python -m towbench.tests.unit.test_cases_named` prints number and tests.
"""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[1]
NUMBERS = [
    *(f"A{n}" for n in (1, 2, 3, 4, 5, 6, 8, 10)),
    *(f"B{n}" for n in (11, 12, 13, 14)),
    *(f"C{n}" for n in (15, 16, 19)),
    *(f"D{n}" for n in (20, 21, 22, 23, 24)),
    "E26", "E28", "F29", "J42",
]  # fmt: skip
_NAMED = re.compile(r"\b([A-FJ]) ?(\d{1,2})\b")


@cache
def named() -> dict[str, list[str]]:
    """Tests by the number that they name."""
    found: dict[str, list[str]] = defaultdict(list)
    for path in sorted({*TESTS.rglob("test_*.py")} - {Path(__file__)}):
        tree = ast.parse(path.read_text("utf-8"))
        where = path.relative_to(TESTS.parent)
        for number in _numbers(ast.get_docstring(tree) or ""):
            found[number].append(str(where))
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                for number in {*_numbers(ast.get_docstring(node) or ""), *_parameters(node)}:
                    found[number].append(f"{where}::{node.name}")
    return found


def _numbers(docstring: str) -> set[str]:
    if "case" not in docstring:
        return set()
    return {letter + number for letter, number in _NAMED.findall(docstring)}


def _parameters(test: ast.FunctionDef) -> Iterator[str]:
    """Numbers that stand alone as a string in a decorator."""
    for decorator in test.decorator_list:
        for node in ast.walk(decorator):
            if isinstance(node, ast.Constant) and node.value in NUMBERS:
                yield str(node.value)


@pytest.mark.parametrize("number", NUMBERS)
def test_a_test_names_it(number: str) -> None:
    assert named()[number], f"no test names case {number}"


if __name__ == "__main__":
    for number in NUMBERS:
        print(number, *named()[number], sep="\n    ")
