"""Damages: each changes what its name says, by a seeded draw, and nothing else."""

import random
from collections import Counter

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from towbench.schemas.definitions import sql_files
from towbench.schemas.perturbations import LENGTHS, RULES, attacks, expand, padding
from towbench.udfs import perturb_text
from towbench.udfs.embedded.segment import letter_count, sentences_of
from towbench.udfs.perturb import DAMAGES, MOST, Draw, plant
from towbench.udfs.perturb_text import PERTURB_VERSION, perturbed

ESSAY = {
    "zh": "　　老渡口在镇子北边。早先那里有一条船。\n\n　　撑船的人姓陆，话不多。他记得每个人的船钱。\n\n"
    "　　后来桥修好了。船翻过来扣在岸上，成了孩子们的屋顶。\n\n　　雨天里，屋顶下面总有人说话。",
    "en": "The ferry lay north of the town. It had one boat.\n\nThe ferryman spoke little. He knew "
    "what everybody owed.\n\nThen the bridge came. The boat was turned over on the bank.\n\n"
    "Children sat under it when it rained.",
}
POEM = "雨落下来\n没有声音\n\n灯亮起来\n没有影子\n"
TITLE = "写一篇散文\n\n题目：渡口"


def copy_of(perturbation: str, lang: str = "zh", seed: int = 1, text: str | None = None) -> str:
    made = perturbed(perturbation, seed, "w1", lang, text or ESSAY[lang], TITLE)
    assert made is not None
    return made


def paragraphs(text: str) -> list[str]:
    return [line for line in text.split("\n") if line.strip()]


@pytest.mark.parametrize("lang", ["zh", "en"])
@pytest.mark.parametrize("perturbation", [*RULES, *(f"attack:{name}" for name in attacks())])
def test_a_copy_differs_and_depends_on_seed_and_writing_alone(perturbation: str, lang: str) -> None:
    made = copy_of(perturbation, lang)
    assert made != ESSAY[lang]
    assert made == copy_of(perturbation, lang)
    drawn = {perturbed(perturbation, 1, f"w{n}", lang, ESSAY[lang], TITLE) for n in range(9)}
    is_drawn = perturbation.partition(":")[0] not in ("truncate", "prompt_copy", "attack")
    is_filled = perturbation == "truncate:matched"
    assert (len(drawn) > 1) == (is_drawn or is_filled)


@pytest.mark.parametrize("lang", ["zh", "en"])
@pytest.mark.parametrize("seed", range(12))
def test_drop_takes_one_to_three_paragraphs_and_keeps_the_rest_as_it_was(
    lang: str, seed: int
) -> None:
    whole, left = paragraphs(ESSAY[lang]), paragraphs(copy_of("drop", lang, seed))
    assert 1 <= len(whole) - len(left) <= MOST
    assert left == [line for line in whole if line in left]


@pytest.mark.parametrize("lang", ["zh", "en"])
@pytest.mark.parametrize("seed", range(12))
def test_repeat_adds_one_to_three_paragraphs_of_the_text(lang: str, seed: int) -> None:
    whole, more = paragraphs(ESSAY[lang]), paragraphs(copy_of("repeat", lang, seed))
    added = Counter(more) - Counter(whole)
    assert 1 <= added.total() <= MOST and set(added) <= set(whole)
    assert Counter(whole) <= Counter(more)


def test_a_single_paragraph_is_damaged_sentence_by_sentence() -> None:
    text = "甲来了。乙走了。丙没有动。丁在看。"
    kept = sentences_of(copy_of("drop", text=text), "zh")
    assert 1 <= len(kept) < 4 and set(kept) < set(sentences_of(text, "zh"))
    assert copy_of("repeat", text=text).count("。") > 4
    english = copy_of("drop", "en", text="One came. Two left. Three stayed.")
    assert "  " not in english and english.endswith(".")


def test_verse_keeps_its_lines_and_stanzas() -> None:
    assert copy_of("shuffle_paragraphs", text=POEM).count("\n\n") == 1
    assert sorted(paragraphs(copy_of("shuffle_paragraphs", text=POEM))) == sorted(paragraphs(POEM))
    assert copy_of("repeat", text=POEM).count("\n\n") in (1, 2)


def test_truncate_breaks_off_in_the_middle() -> None:
    for lang, text in ESSAY.items():
        half = copy_of("truncate", lang)
        assert half == text[: len(text) // 2].rstrip()


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_shuffles_keep_what_they_move(lang: str) -> None:
    text = ESSAY[lang]
    sentences = copy_of("shuffle_sentences", lang)
    assert sorted(sentences_of(sentences, lang)) == sorted(sentences_of(text, lang))
    sizes = [len(sentences_of(line, lang)) for line in paragraphs(text)]
    assert [len(sentences_of(line, lang)) for line in paragraphs(sentences)] == sizes
    words = paragraphs(copy_of("shuffle_words", lang))
    assert [sorted("".join(line.split())) for line in words] == [
        sorted("".join(line.split())) for line in paragraphs(text)
    ]
    assert sorted(paragraphs(copy_of("shuffle_paragraphs", lang))) == sorted(paragraphs(text))
    if lang == "zh":
        assert all(line.startswith("　　") for line in paragraphs(sentences))


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_padding_says_nothing_of_the_text(lang: str) -> None:
    added = set(paragraphs(copy_of("pad", lang))) - set(paragraphs(ESSAY[lang]))
    assert len(added) == MOST and added <= set(padding(lang))


@pytest.mark.parametrize("lang", ["zh", "en"])
@pytest.mark.parametrize("name", LENGTHS)
def test_a_matched_copy_is_as_long_as_its_source_and_draws_as_its_twin(
    name: str, lang: str
) -> None:
    twin, made = copy_of(name, lang), copy_of(f"{name}:matched", lang)
    assert letter_count(made) == letter_count(ESSAY[lang]) != letter_count(twin)
    short = min(len(twin), len(made))
    assert made[:short] == twin[:short]


@pytest.mark.parametrize("text", ["只有一句。", "One sentence only.", "……", "标题"])
def test_where_there_is_nothing_to_damage_there_is_no_copy(text: str) -> None:
    lang = "en" if text.isascii() else "zh"
    for name in ("drop", "shuffle_sentences", "shuffle_paragraphs"):
        assert perturbed(name, 1, "w", lang, text, TITLE) is None
    assert perturbed("prompt_copy", 1, "w", lang, text, text) is None
    assert perturbed("prompt_copy", 1, "w", lang, text, " ") is None


def test_orders_stand_apart_from_the_text() -> None:
    for name, attack in attacks().items():
        made = plant(ESSAY["zh"], "zh", attack)
        assert ESSAY["zh"] in made, name
        assert made.startswith(ESSAY["zh"]) == (attack.place == "last")
    hidden = plant("x", "en", attacks()["tags"]).removeprefix("x\n\n")
    assert all(0xE0000 < ord(char) < 0xE0080 for char in hidden)


def test_the_column_function_answers_row_by_row() -> None:
    rows = [("drop", 1, "a", "zh", ESSAY["zh"], TITLE), ("drop", 1, "b", "en", "One.", TITLE)]
    columns = [pa.chunked_array([pa.array(column)]) for column in zip(*rows, strict=True)]
    assert perturb_text.run(*columns).to_pylist() == [perturbed(*rows[0]), None]


def test_groups_stand_for_their_members() -> None:
    assert expand(["transfer"]) == tuple(
        f"transfer:{genre}" for genre in ("comment", "letter", "official", "poem")
    )
    assert len(expand(["attack"])) == len(attacks()) >= 15
    assert expand(["drop", "drop:matched", "drop"]) == ("drop", "drop:matched")
    for wrong in ("", "dorp", "attack:", "attack:none", "transfer:novel"):
        with pytest.raises(ValueError, match="known: transfer, attack, drop"):
            expand([wrong])


def test_the_steps_name_the_version_of_these_rules() -> None:
    (pending,) = [file for file in sql_files() if file.name == "pending.sql"]
    assert pending.read_text("utf-8").count(f"'{PERTURB_VERSION}|'") == 2


@given(
    st.sampled_from(sorted(DAMAGES)),
    st.sampled_from(["zh", "en"]),
    st.text(st.sampled_from("甲乙丙。！?. \n　\t\r-#"), max_size=60),
    st.integers(0, 99),
)
def test_no_text_breaks_a_damage(name: str, lang: str, text: str, seed: int) -> None:
    made = perturbed(name, seed, "w", lang, text or "x", TITLE)
    assert made is None or made.split() != text.split()
    if letter_count(text):
        damaged = DAMAGES[name](text, lang, Draw(seed))
        known = set(text) | set("".join(padding(lang))) | {"\n", " "}
        assert damaged is None or set(damaged) <= known
    assert random.Random(seed).random() == Draw(seed).random()
