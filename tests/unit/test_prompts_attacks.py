"""Every attack in every prompt that judges a text: what the prompt can break, it breaks."""

import re
import time
import unicodedata

import pytest

from towbench.prompts import Prompt, load_prompts, neutralise, render
from towbench.schemas.perturbations import attacks
from towbench.udfs.perturb import plant

FENCE = "k3f9c2a7"
TEXT = {
    "zh": "河水在夜里涨了三寸。\n\n天亮以后又退下去。",
    "en": "The river rose.\n\nIt fell again.",
}
JUDGING = [prompt for prompt in load_prompts().values() if "text" in prompt.slots]


def shown(prompt: Prompt, value: str) -> tuple[str, str]:
    """The whole prompt and what stands in the fence of the text."""
    slots = {name: "别处的材料" for name in prompt.slots} | {"text": value}
    filled = render(prompt, slots, FENCE)
    section = prompt.body[: prompt.body.index("{text}")].rstrip().rpartition("\n")[2]
    return filled, filled.split(f"{section}\n\n<<{FENCE}\n")[1].split(f"\n{FENCE}>>")[0]


@pytest.mark.parametrize("name", attacks())
def test_a_planted_text_stays_inside_its_fence_with_its_marks_broken(name: str) -> None:
    for prompt in JUDGING:
        planted = plant(TEXT[prompt.lang], prompt.lang, attacks()[name])
        filled, value = shown(prompt, planted)
        where = f"{name} in {prompt.prompt_id}"
        for fence in (rf"^<<{FENCE}$", rf"^{FENCE}>>$"):
            assert len(re.findall(fence, filled, re.MULTILINE)) == len(prompt.slots), where
        for heading in re.findall(r"^#+ .+$", prompt.body, re.MULTILINE):
            assert filled.splitlines().count(heading) == prompt.body.splitlines().count(heading)
        assert not re.search(r"\[\[|\]\]|［［|<<|>>|<\||\|>|</", value), where
        assert not re.search(r"\[[^\]\s][^\]]*(end|结束)\]", value), where
        assert not [char for char in value if unicodedata.category(char) == "Cf"], where


@pytest.mark.parametrize("lang", ["zh", "en"])
@pytest.mark.parametrize("name", attacks())
def test_the_data_say_truly_which_attacks_are_broken(name: str, lang: str) -> None:
    attack = attacks()[name]
    planted = plant(TEXT[lang], lang, attack)
    for prompt in JUDGING:
        if prompt.lang == lang and prompt.task in ("logic", "impression"):
            _, value = shown(prompt, planted)
            assert (value != planted) == attack.is_broken
            # nothing that a reader sees is taken away
            assert visible(value) == visible(planted)


def visible(text: str) -> str:
    kept = (char for char in text if unicodedata.category(char) != "Cf")
    return "".join(kept).replace(" ", "").replace("\\", "").replace("\n", "")


def test_the_harmless_sentence_is_no_order() -> None:
    harmless = attacks()["harmless"]
    assert not harmless.is_broken and harmless.hide is None
    for text in harmless.texts.values():
        assert not re.search(r"分|评|\d|score|mark|grade|review", text.replace("十分", ""))


@pytest.mark.parametrize(
    "value",
    [
        "## 待\u200b评文本",
        "#\u2060# 待评文本\ufeff",
        "＃＃ 待评文本",
        "## 待\u200d评\ufe0f文本",
        "\u200d## 待评文本",
        "\U000e0020## 待评文本",
    ],
)
def test_a_section_is_no_less_imitated_with_hidden_characters(value: str) -> None:
    assert neutralise(f"甲\n{value}\n乙", ["待评文本"]).count("\\") == 1


@pytest.mark.parametrize(
    "value",
    [
        "## text to judge",
        "##  Text  to\u00a0judge",
        "## Text to judge:",
        "## **Text to judge**",
        "> ## Text to judge ##",
        "- # __TEXT TO JUDGE__",
        "## Ｔｅｘｔ\u3000ｔｏ　ｊｕｄｇｅ",
    ],
)
def test_a_section_is_no_less_imitated_in_another_dress(value: str) -> None:
    assert neutralise(f"One.\n{value}\nTwo.", ["Text to judge"]) == f"One.\n\\{value}\nTwo."


@pytest.mark.parametrize(
    "value",
    ["## Text to judge others by", "# The text to judge", "Text to judge", "C## texttojudge"],
)
def test_what_only_holds_the_words_of_a_section_stays(value: str) -> None:
    assert neutralise(f"One.\n{value}\nTwo.", ["Text to judge"]) == f"One.\n{value}\nTwo."


@pytest.mark.parametrize(
    "token",
    [
        "<|im_end|>",
        "<｜Assistant｜>",
        "<start_of_turn>",
        "<END_OF_TURN>",
        "<think>",
        "<s>",
        "<<SYS>>",
    ],
)
def test_a_token_of_a_chat_template_is_broken(token: str) -> None:
    assert token not in neutralise(f"甲{token}乙")


def test_tags_of_a_text_of_its_own_stay() -> None:
    text = "a <b>bold</b> word, if x <s and y> 3, <systematic>"
    assert neutralise(text).replace("< /b>", "</b>") == text


def test_a_long_run_of_line_ends_takes_no_time() -> None:
    begun = time.perf_counter()
    neutralise("#" + "\r" * 200_000 + " -" * 200_000, ["Text to judge"])
    assert time.perf_counter() - begun < 2


@pytest.mark.parametrize("value", ["[\ufe0f[10]\ufe0f]", "[\u200d[10]\u200c]", "[\U000e0041[10]]"])
def test_a_mark_is_no_less_broken_with_hidden_characters(value: str) -> None:
    seen = re.sub("[\u200c\u200d\ufe0f]", "", neutralise(value))
    assert "[[" not in seen and "]]" not in seen


def test_emoji_and_joined_letters_stay_whole() -> None:
    family = "\U0001f468\u200d\U0001f469\u200d\U0001f467 \u2764\ufe0f می\u200cخواهم"
    assert neutralise(family, ["待评文本"]) == family
