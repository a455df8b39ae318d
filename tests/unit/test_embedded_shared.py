"""The embedded models on the real HoWToBench half: figures on the items the ramps never saw."""

import hashlib
import json
import random
import statistics
from collections import Counter, defaultdict
from collections.abc import Callable
from pathlib import Path

import pytest

from towbench.udfs.embedded import NothingToScore, answer
from towbench.udfs.embedded.relation import BLANK
from towbench.udfs.embedded.segment import paragraphs_of, sentences_of

pytestmark = [pytest.mark.shared, pytest.mark.slow]

DATA = Path(__file__).parents[3] / "shared" / "howtobench"
TASKS = ("completion", "guide", "open")
CONTENT = ("opening_ending", "language_rhetoric", "logic", "emotion")
LEAVES = (*CONTENT, "plot", "paragraphing", "impression")
# Published means over all tasks, Table 4 of the HoWToBench paper.
TABLE_4 = {
    "deepseek-r1": 6.10,
    "o3-mini-2025-01-31": 5.86,
    "gpt-4o-2024-11-20": 5.81,
    "claude-3-5-sonnet-20241022": 5.58,
    "gemini-2.0-flash": 5.43,
    "deepseek-chat": 5.42,
    "doubao-pro-32k-241215": 5.34,
    "glm-4-plus-250111": 5.34,
    "claude-3-haiku-20240307": 5.01,
    "Llama-3.3-70B-Instruct": 4.59,
}
GROUPS = {
    "议论文": "argumentative", "文章": "argumentative", "诗歌": "poem", "散文": "prose",
    "纪实": "prose", "小说": "fiction", "信件类写作": "letters", "申请类写作": "letters",
    "演讲稿": "speech", "报告类写作": "report", "总结类写作": "report", "实习报告": "report",
    "工作报告": "report", "合同类写作": "contract", "方案": "plan", "公文": "regulation",
    "规章制度": "regulation", "通知": "regulation",
}  # fmt: skip
LABEL_GROUPS = {
    "Fiction": "fiction", "Poetry": "poem", "Prose": "prose", "Essay": "argumentative",
    "Argumentative": "argumentative", "Report": "report", "Summary": "report",
    "Letter": "letters", "Application": "letters", "Speech": "speech", "Delivery": "speech",
    "Plan": "plan", "Contract": "contract", "Official": "regulation", "Other": "others",
}  # fmt: skip


def hash_of(text: str) -> int:
    return int(hashlib.sha256(text.encode()).hexdigest(), 16)


def rows(path: Path) -> list[dict[str, str]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip()]


def items(task: str) -> dict[str, dict[str, str]]:
    """Items whose second hash bit is 1: the ramps were chosen on the others."""
    found = rows(DATA / task / "aligned.jsonl")
    return {row["infer_id"]: row for row in found if hash_of(row["infer_id"]) >> 1 & 1}


def instruction(item: dict[str, str]) -> str:
    return f"{item['basic_instruction']}\n{item['information']}".strip()


def outputs(task: str) -> list[dict[str, str]]:
    wanted = items(task)
    found = [
        row for path in sorted((DATA / task / "inferences").glob("*.jsonl")) for row in rows(path)
    ]
    return [row for row in found if row["infer_id"] in wanted and row["output"]]


def tree_score(order: str, reference: str, text: str) -> float | None:
    """The root of a tree like `tow` with equal content weights."""
    slots = {"instruction": order, "reference": reference, "text": text}
    try:
        leaf: dict[str, float] = {
            name: json.loads(answer("rules-1", name, "zh", slots))["score"] for name in LEAVES
        }
    except NothingToScore:
        return None
    content = statistics.fmean(leaf[name] for name in CONTENT)
    if BLANK in order:
        return (4 * content + leaf["impression"]) / 5
    steps = 0 if leaf["plot"] <= 4 else 5 if leaf["plot"] <= 7 else 10
    layout = (steps + 5 * (leaf["paragraphing"] - 1) + 10) / 3
    return (4 * content + 3 * layout + leaf["impression"]) / 8


def interval(differences: list[float]) -> tuple[float, float]:
    """95 % interval of a mean (normal)."""
    half = 1.96 * statistics.stdev(differences) / len(differences) ** 0.5
    return statistics.fmean(differences) - half, statistics.fmean(differences) + half


def test_system_means_agree_with_table_4() -> None:
    scores: defaultdict[str, list[float]] = defaultdict(list)
    for task in TASKS:
        wanted = items(task)
        for row in sorted(outputs(task), key=lambda row: row["infer_id"]):
            item = wanted[row["infer_id"]]
            score = tree_score(instruction(item), item["reference"], row["output"])
            if score is not None:
                scores[row["model"]].append(score)
    means = [statistics.fmean(scores[model]) for model in TABLE_4]
    assert statistics.correlation(means, list(TABLE_4.values())) >= 0.80


@pytest.mark.parametrize("task", TASKS)
def test_known_order_of_the_writers(task: str) -> None:
    chain = ("drop-paragraph", "lead-half", "shuffle-words", "prompt-copy")
    gaps: defaultdict[str, list[float]] = defaultdict(list)
    for item in list(items(task).values())[:60]:
        slots = {"instruction": instruction(item), "reference": item["reference"]}
        scores = [
            tree_score(
                slots["instruction"], slots["reference"], answer(writer, "write", "zh", slots)
            )
            for writer in chain
        ]
        for name, better, worse in zip(chain, scores, scores[1:], strict=False):
            if better is not None and worse is not None:
                gaps[name].append(better - worse)
    assert {name: interval(gap)[0] > 0 for name, gap in gaps.items()} == dict.fromkeys(gaps, True)


def _shuffle_sentences(text: str, draw: random.Random) -> str:
    sentences = list(sentences_of(text, "zh"))
    draw.shuffle(sentences)
    places = iter(sentences)
    counts = [len(sentences_of(line, "zh")) for line in paragraphs_of(text)]
    return "\n\n".join("".join(next(places) for _ in range(count)) for count in counts)


def _units(text: str) -> tuple[list[str], str]:
    lines = list(paragraphs_of(text))
    return (lines, "\n\n") if len(lines) > 1 else (list(sentences_of(text, "zh")), "")


def _drop(text: str, draw: random.Random) -> str:
    units, glue = _units(text)
    for _ in range(min(draw.randint(1, 3), len(units) - 1)):
        units.pop(draw.randrange(len(units)))
    return glue.join(units)


def _repeat(text: str, draw: random.Random) -> str:
    units, glue = _units(text)
    for unit in draw.sample(units, min(draw.randint(1, 3), len(units))):
        units.insert(draw.randrange(len(units) + 1), unit)
    return glue.join(units)


def _shuffle_paragraphs(text: str, draw: random.Random) -> str:
    lines = list(paragraphs_of(text))
    draw.shuffle(lines)
    return "\n\n".join(lines)


def _mix_english(text: str, draw: random.Random) -> str:
    english = "The river fell away and nobody came back for it."
    mixed = [
        "".join(english if draw.random() < 0.25 else part for part in sentences_of(line, "zh"))
        for line in paragraphs_of(text)
    ]
    return "\n\n".join(mixed)


def _write(model: str, text: str) -> str:
    return answer(model, "write", "zh", {"instruction": "", "reference": text})


DAMAGES: dict[str, Callable[[str, random.Random], str]] = {
    "drop": _drop,
    "repeat": _repeat,
    "first half": lambda text, draw: text[: len(text) // 2],
    "word shuffle": lambda text, draw: _write("shuffle-words", text),
    "text twice": lambda text, draw: f"{text}\n\n{text}",
    "english mixed in": _mix_english,
    "sentence shuffle": _shuffle_sentences,
    "paragraph shuffle": _shuffle_paragraphs,
}


def test_every_damage_lowers_the_mean() -> None:
    draw = random.Random(11)
    changes: defaultdict[str, list[float]] = defaultdict(list)
    for task in TASKS:
        wanted = items(task)
        chosen = draw.sample([row for row in outputs(task) if len(row["output"]) > 60], 80)
        for row, other in zip(chosen, [*chosen[7:], *chosen[:7]], strict=True):
            item, text = wanted[row["infer_id"]], row["output"]
            damaged = {name: damage(text, draw) for name, damage in DAMAGES.items()}
            damaged["prompt handed back"] = instruction(item)
            damaged["another item's text"] = other["output"]
            whole = tree_score(instruction(item), item["reference"], text)
            for name, worse in damaged.items():
                score = tree_score(instruction(item), item["reference"], worse)
                if whole is not None and score is not None:
                    changes[name].append(score - whole)
    assert len(changes) == 10
    assert {name: interval(change)[1] < 0 for name, change in changes.items()} == dict.fromkeys(
        changes, True
    )


def test_genre_on_references_the_rules_never_saw() -> None:
    seen: dict[str, str] = {}
    for task in ("guide", "open"):
        for row in rows(DATA / task / "aligned.jsonl"):
            if hash_of(row["reference"]) & 1:
                seen.setdefault(row["reference"], GROUPS.get(row["sub_task"], "others"))
    pairs = []
    for text, group in seen.items():
        label = json.loads(answer("rules-1", "genre", "zh", {"text": text}))["label"]
        pairs.append((group, LABEL_GROUPS[label.split(" - ")[1]]))
    sizes = Counter(group for group, _ in pairs)
    f1 = []
    for group, size in sizes.items():
        if size >= 8:
            hits = sum(truth == guess == group for truth, guess in pairs)
            f1.append(2 * hits / (size + sum(guess == group for _, guess in pairs)))
    assert sum(truth == guess for truth, guess in pairs) / len(pairs) >= 0.80
    assert statistics.fmean(f1) >= 0.72
