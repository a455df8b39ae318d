"""Negotiated weights: two decimals, sum exactly 1, by genre cues."""

import json
from fractions import Fraction

import pytest

from towbench.udfs.embedded import answer

FOUR = ["opening_ending", "language_rhetoric", "logic", "emotion"]


def weights(instruction: str, dimensions: list[str]) -> dict[str, float]:
    slots = {"instruction": instruction, "dimensions": "\n".join(dimensions)}
    found: dict[str, float] = json.loads(answer("rules-1", "negotiate", "zh", slots))["weights"]
    return found


@pytest.mark.parametrize(
    "instruction",
    ["写一首诗歌", "写一份劳动合同", "Write a short story.", "Draft a report", "随便写点什么", ""],
)
@pytest.mark.parametrize("dimensions", [FOUR, [*FOUR, "instance"], ["logic"], ["a", "b", "logic"]])
def test_sum_is_exactly_one(instruction: str, dimensions: list[str]) -> None:
    found = weights(instruction, dimensions)
    assert list(found) == dimensions
    assert sum(Fraction(str(weight)) for weight in found.values()) == 1
    assert all(-1 <= weight <= 1 and round(weight, 2) == weight for weight in found.values())


def test_genre_decides() -> None:
    poem = weights("请创作一首诗歌，写秋天。", FOUR)
    contract = weights("请起草一份房屋租赁合同。", FOUR)
    assert poem["emotion"] > contract["emotion"]
    assert poem["logic"] < contract["logic"]
    assert set(weights("随便写点什么", FOUR).values()) == {0.25}
