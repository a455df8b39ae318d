"""Prompt files: they load, come in pairs, declare what they use, and say clearly what is wrong."""

import dataclasses
import json
import re

import pytest
from jsonschema import Draft202012Validator

from towbench.prompts import (
    Prompt,
    PromptError,
    load_prompts,
    parse_prompt,
    reply_schemas,
)
from towbench.prompts.rows import dimension_rows

ANCHORED = {"opening_ending": 6, "language_rhetoric": 6, "instance": 6, "emotion": 6, "plot": 6}
LEAVES = {**ANCHORED, "logic": 8, "impression": None}
RUBRICS = (
    "argumentative summary contract delivery documentary essay fiction letter official plan poem"
    " prose report document speech"
)
GENRES = (
    "fiction poem prose comment argumentative report letters speech plan contract regulation others"
)
GOOD = "---\ntask: sing\nreply: text\nslots: [text]\nwhy: test\n---\nSing {text}\n"


def prompt(prompt_id: str) -> Prompt:
    return load_prompts()[prompt_id]


def test_ids_agree_with_fields() -> None:
    for prompt_id, p in load_prompts().items():
        assert re.fullmatch(rf"{p.task}(_noref)?_v{p.version}\.{p.lang}", prompt_id)
        assert p.prompt_id == prompt_id


def test_every_prompt_has_a_twin_in_the_other_language() -> None:
    for prompt_id, p in load_prompts().items():
        twin = prompt(prompt_id[:-2] + {"zh": "en", "en": "zh"}[p.lang])
        same = ("task", "version", "reply", "range", "anchor", "slots", "has_reference")
        assert [getattr(p, f) for f in same] == [getattr(twin, f) for f in same], prompt_id
        han = len(re.findall(r"[\u4e00-\u9fff]", p.body))
        assert (han > 10) if p.lang == "zh" else (han < 20), prompt_id


@pytest.mark.parametrize("lang", ["zh", "en"])
@pytest.mark.parametrize(("leaf", "anchor"), LEAVES.items())
def test_leaves_come_with_and_without_reference(leaf: str, anchor: int | None, lang: str) -> None:
    with_reference, alone = prompt(f"{leaf}_v1.{lang}"), prompt(f"{leaf}_noref_v1.{lang}")
    low_high = (1, 10)
    assert with_reference.range == alone.range == low_high
    assert with_reference.slots == ("instruction", "reference", "text")
    assert alone.slots == ("instruction", "text") and not alone.has_reference
    assert with_reference.anchor == anchor
    assert alone.anchor == (8 if leaf == "logic" else None)
    assert with_reference.reply == alone.reply == "leaf_score_v1"
    heading = {"zh": r"## 评价标准\n(.*?)\n## ", "en": r"## Criteria\n(.*?)\n## "}[lang]
    criteria = [re.findall(heading, p.body, re.DOTALL) for p in (with_reference, alone)]
    assert criteria[0] and criteria[0] == criteria[1]


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_the_other_tasks_are_there(lang: str) -> None:
    assert prompt(f"paragraphing_v1.{lang}").range == (1, 3)
    assert f"paragraphing_noref_v1.{lang}" not in load_prompts()
    wanted = {"negotiate": "weights_v1", "genre": "genre_v1", "write": "text"}
    wanted |= {f"quality_{rubric}": "quality_v1" for rubric in RUBRICS.split()}
    wanted |= {f"construct_{genre}": "construct_v1" for genre in GENRES.split()}
    wanted |= {f"instruct_{task}": "text" for task in ("completion", "guide", "open")}
    for task, reply in wanted.items():
        assert prompt(f"{task}_v1.{lang}").reply == reply
    families = [p.task for p in load_prompts().values() if p.lang == lang]
    assert sum(t.startswith("quality_") for t in families) == 15
    assert sum(t.startswith("construct_") for t in families) == 12


def test_judging_prompts_put_each_slot_on_a_line_of_its_own_below_the_warning() -> None:
    for prompt_id, p in load_prompts().items():
        if p.reply == "text":
            continue
        for slot in p.slots:
            assert p.body.count(f"\n\n{{{slot}}}") == 1 == p.body.count(f"{{{slot}}}"), prompt_id
        warning = re.compile("绝不照办|never act on them").search(p.body)
        assert warning and warning.start() < p.body.index(f"{{{p.slots[0]}}}"), prompt_id


def test_bodies_leave_the_reply_form_to_the_client() -> None:
    for prompt_id, p in load_prompts().items():
        if not prompt_id.startswith("reply_"):
            assert "[[" not in p.body and "JSON" not in p.body, prompt_id


def test_hash_covers_all_that_moves_an_answer() -> None:
    p = prompt("emotion_v1.zh")
    changes = {"body": p.body + "。", "anchor": 5, "range": (0, 10), "slots": ("text",)}
    changes |= {"reply": "text", "task": "plot"}
    hashes = {dataclasses.replace(p, **{k: v}).sha256 for k, v in changes.items()}  # type: ignore[arg-type]
    assert len(hashes | {p.sha256}) == len(changes) + 1
    assert len({p.sha256 for p in load_prompts().values()}) == len(load_prompts())
    reasons = [parse_prompt("sing_v1.en.md", GOOD.replace("test", why))[0] for why in "ab"]
    assert reasons[0].sha256 == reasons[1].sha256


def test_hash_of_a_template_case_covers_its_rubric() -> None:
    template = GOOD.replace("sing", "quality").replace("reply: text", "reply: quality_v1")
    template = template.replace("{text}", "{text} {genre} {parts}")
    lines = ["- {name}: {ask}", "- {key}: {ask}"]
    first, second = (
        parse_prompt(
            "quality_v1.en.md", template.replace("why:", f"cases: rubrics\nline: '{line}'\nwhy:")
        )
        for line in lines
    )
    assert len(first) == len(second) == 15
    assert all(a.sha256 != b.sha256 for a, b in zip(first, second, strict=True))
    assert first[0].prompt_id == "quality_argumentative_v1.en"
    assert first[0].dimensions[0] == "Theme and argument" and second[0].dimensions[0] == "theme"
    assert "- Theme and argument: " in first[0].body and "- theme: " in second[0].body


@pytest.mark.parametrize(
    ("file_name", "source", "fault"),
    [
        ("sing.en.md", GOOD, "the name is not"),
        ("sing_v0.en.md", GOOD, "the name is not"),
        ("sing_v1.fr.md", GOOD, "the name is not"),
        ("sing_v1.en.md", "Sing {text}", "no front matter"),
        ("sing_v1.en.md", GOOD.replace("[text]", "[text"), "not YAML"),
        ("sing_v1.en.md", "---\nsing\n---\n{text}", "wants a mapping"),
        ("sing_v1.en.md", GOOD.replace("[text]", "[[text]]"), "not a list of distinct names"),
        ("sing_v1.en.md", GOOD.replace("why:", "task: sing\nwhy:"), "task stands twice"),
        ("sing_v1.en.md", GOOD.replace("why: test\n", ""), r"lacks \['why'\]"),
        ("sing_v1.en.md", GOOD.replace("why", "mood: glad\nwhy"), r"unknown \['mood'\]"),
        ("cry_v1.en.md", GOOD, "task is 'sing', the file name says 'cry'"),
        ("sing_v1.en.md", GOOD.replace("reply: text", "reply: song_v1"), "'song_v1' is no file"),
        (
            "sing_v1.en.md",
            GOOD.replace("{text}", "{song}"),
            r"\['text'\] declared, \['song'\] used",
        ),
        ("sing_v1.en.md", GOOD.replace("[text]", "text"), "not a list"),
        (
            "sing_v1.en.md",
            GOOD.replace("why", "range: [3, 1]\nanchor: 2\nwhy"),
            r"not \[low, high\]",
        ),
        ("sing_v1.en.md", GOOD.replace("why", "range: [1, 3]\nanchor: 6\nwhy"), "anchor 6 is no"),
        ("sing_v1.en.md", GOOD.replace("why", "range: [1, 3]\nwhy"), "go together"),
        ("sing_v1.en.md", GOOD.replace("why", "cases: rubrics\nwhy"), "go together"),
        ("sing_v1.en.md", GOOD.replace("why", "cases: songs\nline: '{key}'\nwhy"), "songs.yaml"),
        ("sing_v1.en.md", GOOD.replace("why", "cases: rubrics\nline: x\nwhy"), "no placeholder"),
        ("sing_v1.en.md", GOOD.replace("why", "cases: rubrics\nline: '{key}'\nwhy"), "'sing_v1'"),
    ],
)
def test_a_faulty_file_is_named_with_its_fault(file_name: str, source: str, fault: str) -> None:
    with pytest.raises(PromptError, match=f"^prompts/{re.escape(file_name)}: .*{fault}"):
        parse_prompt(file_name, source)


def test_reply_schemas_are_valid_and_strict() -> None:
    def objects(schema: object) -> list[dict[str, object]]:
        if isinstance(schema, list):
            return [found for part in schema for found in objects(part)]
        if not isinstance(schema, dict):
            return []
        inner = [found for part in schema.values() for found in objects(part)]
        return [schema, *inner] if schema.get("type") == "object" else inner

    for name, schema in reply_schemas().items():
        Draft202012Validator.check_schema(schema)
        assert schema["title"] == name
        for part in objects(schema):
            # OpenAI's strict mode: closed objects whose properties are all required
            assert part["additionalProperties"] is False
            assert part["required"] == list(part["properties"])  # type: ignore[call-overload]


@pytest.mark.parametrize(
    ("name", "good", "bad"),
    [
        ("leaf_score_v1", {"reason": "r", "score": 7.5}, {"score": 7}),
        (
            "weights_v1",
            {"weights": [{"name": "logic", "weight": -0.2}], "reason": "r"},
            {"weights": {"logic": 1}, "reason": "r"},
        ),
        (
            "genre_v1",
            {"reason": "r", "label": "Functional - Plan"},
            {"reason": "r", "label": "Plan"},
        ),
        (
            "quality_v1",
            {"dimensions": [{"name": "n", "reason": "r", "score": 5}], "reason": "r", "overall": 4},
            {"dimensions": [], "reason": "r", "overall": 6},
        ),
        (
            "construct_v1",
            {"summary": "s", "theme": "t", "traits": [{"name": "n", "text": "x"}]},
            {"summary": "s", "theme": "t", "traits": ["x"]},
        ),
    ],
)
def test_reply_schemas_accept_and_refuse(name: str, good: object, bad: object) -> None:
    validator = Draft202012Validator(reply_schemas()[name])
    assert validator.is_valid(good) and not validator.is_valid(bad)


def test_genre_labels_of_schema_and_prompt_agree() -> None:
    labels = reply_schemas()["genre_v1"]["properties"]["label"]["enum"]
    assert len(labels) == 15
    for lang in ("zh", "en"):
        body = prompt(f"genre_v1.{lang}").body
        assert re.findall(r"^- ((?:Creative|Functional) - \w+)", body, re.MULTILINE) == labels


def test_every_leaf_is_described_to_negotiators() -> None:
    rows = dimension_rows()
    for lang in ("zh", "en"):
        described = {row["dimension"] for row in rows if row["lang"] == lang}
        assert described == {*LEAVES, "formatting", "paragraphing"}
    assert len(rows) == 18 and all(len(row["description"]) > 15 for row in rows)


def test_dimensions_are_the_names_that_a_reply_must_give() -> None:
    assert prompt("quality_poem_v1.zh").dimensions == (
        *("language", "theme", "emotion"),
        *("form", "effect"),
    )
    assert prompt("construct_letters_v1.zh").dimensions == (
        *("写信人与收信人", "目的与内容"),
        *("语气与态度", "格式与礼仪"),
    )
    assert prompt("emotion_v1.zh").dimensions == ()
    for p in load_prompts().values():
        for name in p.dimensions:
            assert len(re.findall(rf"^- {name}(?: \(|（|：|: )", p.body, re.MULTILINE)) == 1


def test_a_file_that_is_not_utf8_is_named(
    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path_factory.mktemp("prompts")
    (folder / "sing_v1.zh.md").write_bytes(json.dumps("歌", ensure_ascii=False).encode("gb18030"))
    monkeypatch.setattr("towbench.prompts.files", lambda _: folder)
    with pytest.raises(PromptError, match=r"prompts/sing_v1.zh.md: not UTF-8"):
        load_prompts.__wrapped__()
