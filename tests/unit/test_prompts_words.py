"""The prompts carry the papers' criteria in words of our own."""

import re
from pathlib import Path

import pytest

from towbench.prompts import load_prompts

PAPERS = Path(__file__).resolve().parents[3] / "shared" / "papers"
# Names that are the benchmark's own, and the band phrase that leaves no other wording.
NAMES = re.compile(
    r"fill in the blank|(Creative|Functional) - \w+|多于参考文本，几乎没有[正负]面", re.IGNORECASE
)


def tokens(text: str, lang: str) -> list[str]:
    return re.findall(r"[\u4e00-\u9fff\w]" if lang == "zh" else r"[a-z]+", text.lower())


@pytest.mark.shared
@pytest.mark.parametrize(
    ("paper", "lang", "run"),
    [("howtobench_zh_full_tables_and_prompts.txt", "zh", 12), ("howtobench_en.txt", "en", 7)],
)
def test_no_run_of_words_is_the_papers(paper: str, lang: str, run: int) -> None:
    theirs = tokens((PAPERS / paper).read_text(encoding="utf-8"), lang)
    known = {tuple(theirs[i : i + run]) for i in range(len(theirs) - run + 1)}
    assert len(known) > 10_000
    for prompt_id, prompt in load_prompts().items():
        if prompt.lang != lang:
            continue
        for piece in NAMES.sub("\n", prompt.body).splitlines():
            ours = tokens(piece, lang)
            for i in range(len(ours) - run + 1):
                assert tuple(ours[i : i + run]) not in known, f"{prompt_id}: {ours[i : i + run]}"
