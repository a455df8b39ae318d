"""BLEU and ROUGE: golden values, and equal to sacrebleu and rouge-score on the same tokens."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from pathlib import Path

import duckdb
import pyarrow as pa
import pytest
from duckdb.func import ARROW, SPECIAL
from hypothesis import given
from hypothesis import strategies as st
from rouge_score.rouge_scorer import RougeScorer
from rouge_score.tokenizers import Tokenizer
from sacrebleu.metrics.bleu import BLEU

from towbench.schemas.metrics import OVERLAP
from towbench.udfs import measure_overlap
from towbench.udfs.measure_overlap import METRIC_VERSION, Counted, scores, tokens_of

SHARED = Path(__file__).parents[3] / "shared" / "howtobench"
ZH = "老人站在桥头，看着河水一寸一寸地涨。\n\n天亮时雨停了，河水退了三寸。"
ZH_REFERENCE = "老人站在桥头看河水涨。\n雨停了，天亮时河水退了。"


class Blanks(Tokenizer):  # type: ignore[misc]
    """Tokens as they are, joined with blanks."""

    def tokenize(self, text: str) -> list[str]:
        return text.split()


_BLEU = [
    BLEU(tokenize="none", smooth_method="exp", effective_order=True, max_ngram_order=n)
    for n in (1, 2, 3, 4)
]
_ROUGE = RougeScorer(["rouge1", "rouge2", "rougeL"], tokenizer=Blanks())


def peers(text: str, reference: str, lang: str) -> dict[str, float]:
    """What sacrebleu and rouge-score say of the same tokens."""
    one, other = (" ".join(tokens_of(part, lang)) for part in (text, reference))
    found = {
        f"bleu_{n}": bleu.sentence_score(one, [other]).score / 100
        for n, bleu in enumerate(_BLEU, 1)
    }
    rouge = _ROUGE.score(other, one)
    names = {"rouge_1": "rouge1", "rouge_2": "rouge2", "rouge_l": "rougeL"}
    return found | {name: rouge[theirs].fmeasure for name, theirs in names.items()}


def released(text: Sequence[str], reference: Sequence[str], order: int) -> float:
    """Clipped precision by striking out: every n-gram of the reference serves once."""
    left = [tuple(reference[i : i + order]) for i in range(len(reference) - order + 1)]
    grams = [tuple(text[i : i + order]) for i in range(len(text) - order + 1)]
    hits = 0
    for gram in grams:
        if gram in left:
            left.remove(gram)
            hits += 1
    return hits / len(grams) if grams else 0.0


def check(text: str, reference: str, lang: str) -> None:
    one, other = Counted(text, lang), Counted(reference, lang)
    found = scores(one, other)
    for name, value in peers(text, reference, lang).items():
        assert math.isclose(found[name], value, rel_tol=0, abs_tol=1e-9), (name, text, reference)
    for order in (1, 2, 3, 4):
        wanted = released(tokens_of(text, lang), tokens_of(reference, lang), order)
        assert math.isclose(found[f"bleu_released_{order}"], wanted, abs_tol=1e-9)
    assert all(0 <= value <= 1 + 1e-12 for value in found.values())


def measure(*rows: tuple[str, str, str]) -> list[dict[str, object]]:
    columns = [
        pa.chunked_array([pa.array(column, pa.string())]) for column in zip(*rows, strict=True)
    ]
    return list(measure_overlap.run(*columns).to_pylist())


def test_values_by_hand() -> None:
    """text: a b c d, reference: a b x d e; no trigram in common, one text word missing each way."""
    found = scores(Counted("a b c d", "en"), Counted("a b x d e", "en"))
    penalty = math.exp(1 - 5 / 4)
    assert found["bleu_1"] == pytest.approx(penalty * 3 / 4)
    assert found["bleu_2"] == pytest.approx(penalty * math.sqrt(3 / 4 * 1 / 3))
    # A missing order counts as half a hit, the next missing one as a quarter.
    third = 3 / 4 * 1 / 3 * (1 / 2) / 2
    assert found["bleu_3"] == pytest.approx(penalty * third ** (1 / 3))
    assert found["bleu_4"] == pytest.approx(penalty * (third * (1 / 4) / 1) ** (1 / 4))
    assert [found[f"bleu_released_{n}"] for n in (1, 2, 3, 4)] == [3 / 4, 1 / 3, 0, 0]
    assert found["rouge_1"] == pytest.approx(2 * 3 / 9)
    assert found["rouge_2"] == pytest.approx(2 * 1 / 7)
    assert found["rouge_l"] == pytest.approx(2 * 3 / 9)


def test_white_space_is_a_token_of_the_released_code_only() -> None:
    found = scores(Counted("甲\n乙", "zh"), Counted("甲\n\n乙", "zh"))
    assert (found["bleu_1"], found["rouge_2"]) == (1, 1)
    # 甲 \n 乙 against 甲 \n \n 乙: both bigrams are there, the trigram is not.
    assert [found[f"bleu_released_{n}"] for n in (1, 2, 3, 4)] == [1, 1, 0, 0]
    assert found["bleu_released_4"] == 0


def test_words_of_other_languages_keep_case_and_apostrophe_and_lose_marks() -> None:
    assert tokens_of("It's HIS—the   ferry’s, 3.5 m.", "en") == [
        "It's", "HIS", "the", "ferry’s", "3", "5", "m",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "reference", "lang"),
    [
        (ZH, ZH_REFERENCE, "zh"),
        (ZH, ZH, "zh"),
        ("雨", ZH_REFERENCE, "zh"),
        (ZH, "雨", "zh"),
        ("完全不同", "no overlap at all", "zh"),
        ("a b", "a b c d e f", "en"),
        ("a a a a a a", "a a", "en"),
        ("A\x1cB\u2028甲\u200b乙　丙\x85", "甲\u200b乙 A B", "zh"),
    ],
)
def test_equals_its_peers(text: str, reference: str, lang: str) -> None:
    check(text, reference, lang)


_WORDS = st.lists(st.sampled_from("甲乙丙丁，\n"), min_size=1, max_size=30).map("".join)


@given(
    st.lists(st.sampled_from(["a", "b", "c", "d"]), min_size=1, max_size=25),
    st.lists(st.sampled_from(["a", "b", "c", "e"]), min_size=1, max_size=25),
)
def test_any_words_give_what_the_peers_give(text: list[str], reference: list[str]) -> None:
    check(" ".join(text), " ".join(reference), "en")


@given(_WORDS.filter(str.strip), _WORDS.filter(str.strip))
def test_any_characters_give_what_the_peers_give(text: str, reference: str) -> None:
    check(text, reference, "zh")


def test_a_text_without_words_has_a_reason_and_no_number() -> None:
    assert measure(("en", "...", "a b"), ("en", "a b", "—"), ("zh", " \n", "雨"), ("en", "a", "a")) == [
        {"scores": None, "status": "not_applicable", "reason": "no_words"},
        {"scores": None, "status": "not_applicable", "reason": "no_words_in_reference"},
        {"scores": None, "status": "not_applicable", "reason": "no_words"},
        {
            "scores": [*scores(Counted("a", "en"), Counted("a", "en")).items()],
            "status": "ok",
            "reason": None,
        },
    ]  # fmt: skip


def test_every_name_that_can_be_asked_for_is_measured() -> None:
    found = scores(Counted(ZH, "zh"), Counted(ZH_REFERENCE, "zh"))
    assert sorted(found) == sorted(name for names in OVERLAP.values() for name in names)


def test_it_runs_in_duckdb() -> None:
    con = duckdb.connect()
    con.create_function(
        measure_overlap.NAME, measure_overlap.run, list(measure_overlap.PARAMETERS),
        measure_overlap.RETURNS, type=ARROW, null_handling=SPECIAL, side_effects=True,
    )  # fmt: skip
    con.execute("CREATE TABLE t AS SELECT 'zh' AS lang, ? AS x, ? AS y", [ZH, ZH_REFERENCE])
    [(rouge, unknown, status)] = con.execute(
        "SELECT f.scores['rouge_l'], f.scores['m'], f.status "
        "FROM (SELECT measure_overlap(lang, x, y) AS f FROM t)"
    ).fetchall()
    assert (rouge, unknown, status) == (
        pytest.approx(peers(ZH, ZH_REFERENCE, "zh")["rouge_l"], abs=1e-9), None, "ok",
    )  # fmt: skip


def test_the_version_is_the_one_that_the_view_names() -> None:
    view = Path(__file__).parents[2] / "sql" / "views" / "judging" / "metric_cell_v1.sql"
    assert f"'{METRIC_VERSION}'" in view.read_text("utf-8")


@pytest.mark.shared
def test_real_texts_give_what_the_peers_give() -> None:
    n_pair = 0
    for task in ("completion", "guide", "open"):
        lines = (SHARED / task / "aligned.jsonl").read_text("utf-8").splitlines()
        items = {row["infer_id"]: row["reference"] for row in map(json.loads, lines)}
        for path in sorted((SHARED / task / "inferences").glob("*.jsonl")):
            for line in path.read_text("utf-8").splitlines()[::100]:
                row = json.loads(line)
                if row["output"].strip():
                    one, other = Counted(row["output"], "zh"), Counted(items[row["infer_id"]], "zh")
                    wanted = peers(row["output"], items[row["infer_id"]], "zh")
                    found = scores(one, other)
                    assert all(abs(found[name] - wanted[name]) < 1e-9 for name in wanted)
                    n_pair += 1
    assert n_pair > 60
