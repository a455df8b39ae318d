"""The judge reacts the right way to damage; what a reference adds; the known order of writers."""

import itertools
import json
import math
import random
import statistics
from pathlib import Path

import pytest

from towbench.udfs.embedded import NothingToScore, answer
from towbench.udfs.embedded.judge import LEAVES, RANGES
from towbench.udfs.embedded.relation import BLANK
from towbench.udfs.embedded.rules import RAMPS
from towbench.udfs.embedded.segment import paragraphs_of

SAMPLES = Path(__file__).parents[2] / "spiders" / "sample_texts"
CHAIN = ("drop-paragraph", "lead-half", "shuffle-words", "prompt-copy")


def sample_texts(lang: str, quality: str) -> list[tuple[str, str]]:
    """(title, text) of the bundled sample texts."""
    found = []
    for path in sorted(SAMPLES.glob(f"*.{lang}.md")):
        _, head, text = path.read_text("utf-8").split("---\n", 2)
        fields = dict(line.split(": ", 1) for line in head.strip().splitlines() if ": " in line)
        if fields["quality"] == quality:
            found.append((fields["title"], text.strip()))
    return found


def mean_score(lang: str, instruction: str, reference: str, text: str) -> float | None:
    slots = {"instruction": instruction, "reference": reference, "text": text}
    try:
        scores: list[float] = [
            json.loads(answer("rules-1", leaf, lang, slots))["score"] for leaf in RANGES
        ]
    except NothingToScore:
        return None
    return statistics.fmean(scores)


def lower_bound(differences: list[float]) -> float:
    """Lower end of the paired 95 % interval (normal)."""
    spread = statistics.stdev(differences) / math.sqrt(len(differences))
    return statistics.fmean(differences) - 1.96 * spread


def gaps(lang: str, items: list[tuple[str, str]]) -> list[list[float]]:
    """Paired differences of each adjacent pair of writers over (instruction, reference)."""
    found: list[list[float]] = [[] for _ in CHAIN[1:]]
    for instruction, reference in items:
        slots = {"instruction": instruction, "reference": reference}
        scores = [
            mean_score(lang, instruction, reference, answer(writer, "write", lang, slots))
            for writer in CHAIN
        ]
        for place, (better, worse) in enumerate(itertools.pairwise(scores)):
            if better is not None and worse is not None:
                found[place].append(better - worse)
    return found


def whole_items(lang: str) -> list[tuple[str, str]]:
    order = (
        "请以《{}》为题，写一篇内容充实的作品，注意细节。"
        if lang == "zh"
        else "Write a piece called {}."
    )
    return [(order.replace("{}", title), text) for title, text in sample_texts(lang, "good")]


def fragment_items(lang: str) -> list[tuple[str, str]]:
    """One gap of one to three paragraphs, 150-500 characters (en 2.5 times that), per text."""
    draw = random.Random(3)
    scale = 1.0 if lang == "zh" else 2.5
    found = []
    for _, text in sample_texts(lang, "good"):
        lines = paragraphs_of(text)
        gaps_here = [
            (start, end)
            for start in range(1, len(lines))
            for end in range(start + 1, min(start + 4, len(lines)))
            if 150 * scale <= sum(map(len, lines[start:end])) <= 500 * scale
        ]
        if gaps_here:
            start, end = draw.choice(gaps_here)
            context = "\n\n".join([*lines[:start], BLANK, *lines[end:]])
            found.append((context, "\n\n".join(lines[start:end])))
    return found


@pytest.mark.parametrize("lang", ["zh", "en"])
@pytest.mark.parametrize("items", [whole_items, fragment_items])
def test_known_order_of_the_writers(lang: str, items: object) -> None:
    assert callable(items)
    found = gaps(lang, items(lang))
    assert all(len(differences) >= 8 for differences in found)
    assert all(lower_bound(differences) > 0 for differences in found)


def test_damage_lowers_the_mean() -> None:
    changes: dict[str, list[float]] = {}
    texts = sample_texts("zh", "good")
    for place, (title, text) in enumerate(texts):
        instruction = f"请写一篇题为《{title}》的作品，字数不限。"
        lines = list(paragraphs_of(text))
        other = texts[(place + 7) % len(texts)][1]
        draw = random.Random(place)
        shuffled = draw.sample(lines, len(lines))
        damaged = {
            "twice": f"{text}\n\n{text}",
            "repeat": "\n\n".join([*lines, lines[len(lines) // 2]]),
            "other text": other,
            "english": "\n\n".join([*lines, "The river fell away and nobody came. " * 20]),
            "talk": f"好的，以下是为您写的作品：\n\n{text}",
            "cut": text[: len(text) * 2 // 3].rstrip("。！？”"),
            "paragraph shuffle": "\n\n".join(shuffled),
        }
        whole = mean_score("zh", instruction, text, text)
        for name, worse in damaged.items():
            score = mean_score("zh", instruction, text, worse)
            assert whole is not None
            assert score is not None
            changes.setdefault(name, []).append(whole - score)
    assert {name: lower_bound(drops) > 0 for name, drops in changes.items()} == dict.fromkeys(
        changes, True
    )


def test_reason_names_statistics_and_gates() -> None:
    text = sample_texts("zh", "good")[0][1]
    slots = {"instruction": "写一篇作品。", "reference": text, "text": text + text}
    reason = json.loads(answer("rules-1", "logic", "zh", slots))["reason"]
    assert "recall" in reason
    assert "repetition x0." in reason


def test_every_ramp_of_every_leaf_has_numbers() -> None:
    names = {name for weights in LEAVES.values() for name in weights}
    assert {"zh_fill", "zh_whole", "en_fill", "en_whole"} == set(RAMPS)
    for ramps in RAMPS.values():
        assert names <= set(ramps)
        assert all(low != high for low, high in ramps.values())
