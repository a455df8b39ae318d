"""Prompts: loading, hashing and filling in the frozen texts that models are asked with.

A prompt is a Markdown file `<task>[_noref]_v<N>.<lang>.md` with YAML front matter. `task`, `reply`
(a schema in `schemas/replies`, or `text`), `slots` and `why` are required; leaves add `range` and
`anchor`. A template adds `cases` (a file in `schemas/`) and `line`, and becomes one prompt a case:
`quality_v1.zh.md` gives `quality_fiction_v1.zh` and fourteen more.
"""

import hashlib
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.resources import files
from typing import Any

import yaml

from towbench.schemas.errors import DataError
from towbench.schemas.strict_yaml import parse_mapping

_FILE_NAME = re.compile(r"([a-z_]+?)(_noref)?_v([1-9]\d*)\.(zh|en)\.md")
_FRONT_MATTER = re.compile(r"---\n(.*?\n)---\n(.*)", re.DOTALL)
_PLACEHOLDER = re.compile(r"\{([a-z_]+)\}")
_REQUIRED = {"task", "reply", "slots", "why"}
_OPTIONAL = {"range", "anchor", "cases", "line"}

# Characters that neither show nor shape anything (blanks of no width, marks of direction, tags): a
# model would read what they spell or hide, and no reader does.
_HIDDEN = re.compile(
    "[\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\U000e0000-\U000e007f]"
)
# Those that shape letters and emoji stay, and could stand between two halves of a mark.
_UNSEEN = (
    "[\u034f\u115f\u1160\u17b4\u17b5\u200c\u200d\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]*"
)
# Inside [[ ]] << >> <| |> </, half or full width: verdicts, fence lines, chat tokens, closing tags;
# and of chat tokens that look like tags.
_INSIDE_MARK = re.compile(
    rf"(?<=[\[［]){_UNSEEN}(?=[\[［])|(?<=[\]］]){_UNSEEN}(?=[\]］])"
    rf"|(?<=[<＜]){_UNSEEN}(?=[<＜|｜/])|(?<=[>＞|｜]){_UNSEEN}(?=[>＞])"
    r"|(?<=[<＜])(?=(?:s|bos|eos|think|(?:start|end)_of_turn|system|user|assistant)[>＞])",
    re.IGNORECASE,
)
# After the bracket of [Reference Writing End], [INST] and their like.
_SECTION_BRACKET = re.compile(
    r"(?<=[\[［])(?=/?INST[\]］]|[^\[\]［］\n]{0,40}(?:start|end|开始|结束)\s*[\]］])",
    re.IGNORECASE,
)
# Without one of these a text imitates nothing.
_MARK = re.compile(r"[\[［\]］<＜>＞|#＃]")
# What may stand before the hashes of an imitated heading, between them and the title, and after it.
_RIMS = (r">＞*+\-", "*_`", "*_`:：#＃")
_BREAKS = "\n\r\x0b\x0c\x1c-\x1e\x85\u2028\u2029"
_NOT_A_BREAK = f"[^{_BREAKS}]"
_BLANK = rf"[^\S{_BREAKS}]"


_Case = tuple[str, str, tuple[str, ...]]
"""task, body and dimensions of one prompt"""


class PromptError(ValueError):
    """A prompt file, or a name asked of one, that cannot be used: which, and why."""


@dataclass(frozen=True)
class Prompt:
    """One frozen prompt in one language.

    Attributes:
        range: lowest and highest score, for leaves only.
        anchor: the score that the prompt fixes for the reference (SPEC 2).
        dimensions: the names that a reply must give one by one: rubric dimensions, traits.
    """

    prompt_id: str
    task: str
    version: int
    lang: str
    reply: str
    range: tuple[float, float] | None
    anchor: float | None
    slots: tuple[str, ...]
    dimensions: tuple[str, ...]
    body: str

    @property
    def has_reference(self) -> bool:
        return "reference" in self.slots

    @cached_property
    def sha256(self) -> str:
        """Hash of all that can move an answer; the file name and `why` cannot."""
        content = [self.task, self.reply, self.range, self.anchor, self.slots, self.body]
        return hashlib.sha256(json.dumps(content, ensure_ascii=False).encode()).hexdigest()


@cache
def load_prompts() -> dict[str, Prompt]:
    """All prompts by id (`opening_ending_noref_v1.zh`), in the order of their ids."""
    found: dict[str, Prompt] = {}
    for path in files(__name__).iterdir():
        if not path.name.endswith(".md"):
            continue
        try:
            source = path.read_text(encoding="utf-8")
        except UnicodeDecodeError as error:
            raise PromptError(f"prompts/{path.name}: not UTF-8 ({error})") from error
        found |= {prompt.prompt_id: prompt for prompt in parse_prompt(path.name, source)}
    return dict(sorted(found.items()))


def parse_prompt(file_name: str, source: str) -> list[Prompt]:
    """The prompt in a file, or the prompts of all its cases if it is a template.

    Raises:
        PromptError: for any departure from the form of a prompt file.
    """
    fault = f"prompts/{file_name}: "
    name = _FILE_NAME.fullmatch(file_name)
    if not name:
        raise PromptError(fault + "the name is not <task>[_noref]_v<N>.<zh|en>.md")
    task, noref, version, lang = name.groups(default="")
    parts = _FRONT_MATTER.fullmatch(source)
    if not parts:
        raise PromptError(fault + "no front matter between two lines of ---")
    try:
        meta = parse_mapping(parts[1], fault + "front matter")
    except DataError as error:
        raise PromptError(str(error)) from error
    _check_front_matter(fault, task, meta)

    cases: list[_Case] = [(task, parts[2].strip(), ())]
    if "cases" in meta:
        try:
            cases = list(_cases(meta, f"{task}_v{version}", lang, parts[2].strip()))
        except (OSError, LookupError, TypeError) as error:
            raise PromptError(f"{fault}schemas/{meta['cases']}.yaml: {error!r}") from error
    slots = tuple(meta["slots"])
    for _, body, _ in cases:
        used = set(_PLACEHOLDER.findall(body))
        if used != set(slots):
            raise PromptError(f"{fault}slots {sorted(slots)} declared, {sorted(used)} used")
    return [
        Prompt(
            prompt_id=f"{case}{noref}_v{version}.{lang}",
            task=case,
            version=int(version),
            lang=lang,
            reply=meta["reply"],
            range=_score_range(fault, meta),
            anchor=meta.get("anchor"),
            slots=slots,
            dimensions=dimensions if meta["reply"] != "text" else (),
            body=body,
        )
        for case, body, dimensions in cases
    ]


def _check_front_matter(fault: str, task: str, meta: Mapping[str, Any]) -> None:
    if missing := _REQUIRED - meta.keys():
        raise PromptError(f"{fault}front matter lacks {sorted(missing)}")
    if unknown := meta.keys() - _REQUIRED - _OPTIONAL:
        raise PromptError(f"{fault}front matter has unknown {sorted(unknown, key=str)}")
    if meta["task"] != task:
        raise PromptError(f"{fault}task is {meta['task']!r}, the file name says {task!r}")
    if meta["reply"] not in ("text", *reply_schemas()):
        raise PromptError(f"{fault}reply {meta['reply']!r} is no file in schemas/replies")
    slots = meta["slots"]
    if (
        not isinstance(slots, list)
        or not all(isinstance(slot, str) for slot in slots)
        or len(set(slots)) != len(slots)
    ):
        raise PromptError(f"{fault}slots is not a list of distinct names: {slots!r}")
    if ("cases" in meta) != ("line" in meta):
        raise PromptError(fault + "cases and line go together")
    if "line" in meta and not _PLACEHOLDER.search(str(meta["line"])):
        raise PromptError(fault + "line has no placeholder")
    if ("range" in meta) != ("anchor" in meta):
        raise PromptError(fault + "range and anchor go together (anchor may be null)")


def _score_range(fault: str, meta: Mapping[str, Any]) -> tuple[float, float] | None:
    if "range" not in meta:
        return None
    match meta["range"]:
        case [int() | float() as low, int() | float() as high] if low < high:
            pass
        case other:
            raise PromptError(f"{fault}range is not [low, high]: {other!r}")
    match meta["anchor"]:
        case None:
            pass
        case int() | float() as anchor if low <= anchor <= high:
            pass
        case other:
            raise PromptError(f"{fault}anchor {other!r} is no number from {low} to {high}")
    return low, high


@cache
def _case_file(name: str) -> Any:
    path = files("towbench.schemas") / f"{name}.yaml"
    return yaml.load(path.read_text(encoding="utf-8"), Loader=yaml.CSafeLoader)


def _cases(meta: Mapping[str, Any], section: str, lang: str, template: str) -> Iterator[_Case]:
    """The cases of a template, which may hold `{genre}`, `{parts}` and `{example}`.

    Every part becomes one `line`, whose first placeholder is the part's name in replies.
    """
    line = meta["line"]
    named_by = _PLACEHOLDER.findall(line)[0]
    task = meta["task"]
    for case, data in _case_file(meta["cases"])[section].items():
        parts = [{"key": key, **part[lang]} for key, part in data["parts"].items()]
        texts = {
            "genre": data["name"][lang],
            "parts": "\n".join(_fill(line, part) for part in parts),
            "example": data.get("example", {}).get(lang, ""),
        }
        names = tuple(part[named_by] for part in parts)
        yield f"{task}_{case}", _fill(template, texts), names


def _fill(text: str, values: Mapping[str, str]) -> str:
    """One pass: a placeholder inside a value stays as it is (cases.md 42)."""
    return _PLACEHOLDER.sub(lambda found: values.get(found[1], found[0]), text)


def render(
    prompt: Prompt,
    slots: Mapping[str, str],
    fence: str | None,
    presentation: str = "reference_first",
) -> str:
    """The body with its slots filled in.

    Args:
        slots: exactly the declared slots; one more would be in the call key but not in the prompt.
        fence: token of the lines `<<token` and `token>>` put round every value, which is made
            harmless first. None writes bare values: for reply forms, where they are ours, and for
            instruction templates, whose result is fenced wherever it is used.
        presentation: `candidate_first` shows the text before the reference; how the prompt is
            written is `reference_first` (or `single`, where there is only one text).

    Raises:
        KeyError: a declared slot has no value, or a value has no slot.
    """
    if slots.keys() != set(prompt.slots):
        given = sorted(slots)
        raise KeyError(f"{prompt.prompt_id} takes {sorted(prompt.slots)}, was given {given}")
    body = _candidate_first(prompt.body) if presentation == "candidate_first" else prompt.body
    if fence is None:
        return _fill(body, slots)
    if not re.fullmatch(r"\w+", fence):
        raise ValueError(f"a fence token is made of letters and digits, not {fence!r}")
    headings = _headings(body)
    fenced = {k: f"<<{fence}\n{neutralise(v, headings)}\n{fence}>>" for k, v in slots.items()}
    return _fill(body, fenced)


@cache
def _headings(body: str) -> tuple[str, ...]:
    return tuple(re.findall(r"^#+ +(.+)$", body, re.MULTILINE))


@cache
def _candidate_first(body: str) -> str:
    """A body with the sections of the reference and of the text exchanged, headings and all."""
    sections = re.split(r"(?m)^(?=#+ )", body)
    places = [
        next((n for n, section in enumerate(sections) if slot in section), None)
        for slot in ("{reference}", "{text}")
    ]
    first, second = places
    if first is None or second is None:
        return body
    # The break between two sections belongs to the place, not to the section.
    moved = [section.rstrip("\n") for section in (sections[first], sections[second])]
    ends = [s[len(s.rstrip("\n")) :] for s in (sections[first], sections[second])]
    sections[first], sections[second] = moved[1] + ends[0], moved[0] + ends[1]
    return "".join(sections)


def neutralise(value: str, headings: Iterable[str] = ()) -> str:
    """Break, visibly, what could pass for a verdict, a fence line or a section of the prompt.

    What is hidden from readers is taken out first, so that a judge reads what they see.

    Args:
        headings: titles of the prompt's own sections; a line that imitates one gets a backslash.
    """
    value = _HIDDEN.sub("", value)
    if not _MARK.search(value):
        return value
    value = _SECTION_BRACKET.sub(" ", _INSIDE_MARK.sub(" ", value))
    return _imitation(tuple(headings)).sub(r"\\", value)


@cache
def _imitation(headings: tuple[str, ...]) -> re.Pattern[str]:
    """Where a line begins that passes for a heading, also quoted, listed, bold or with a colon."""
    titles = "|".join(map(_loosely, headings)) or "(?!)"
    before, after, end = (rf"(?:{_UNSEEN}(?:{_BLANK}|[{marks}]))*{_UNSEEN}" for marks in _RIMS)
    return re.compile(
        rf"(?<!{_NOT_A_BREAK})(?={before}[#＃]+{after}(?:{titles}){end}(?!{_NOT_A_BREAK}))",
        re.IGNORECASE,
    )


def _loosely(title: str) -> str:
    """A title in half or full width, with any blanks between its words."""
    words = (
        _UNSEEN.join(f"[{re.escape(char + _wide(char))}]" for char in word)
        for word in title.split()
    )
    return rf"(?:{_UNSEEN}{_BLANK})+{_UNSEEN}".join(words)


def _wide(char: str) -> str:
    """The full-width form of an ASCII character."""
    return chr(ord(char) + 0xFEE0) if "!" <= char <= "~" else char


@cache
def reply_schemas() -> dict[str, Any]:
    """JSON Schemas of replies by name (`leaf_score_v1`)."""
    folder = files("towbench.schemas") / "replies"
    return {
        path.name.removesuffix(".json"): json.loads(path.read_text(encoding="utf-8"))
        for path in folder.iterdir()
        if path.name.endswith(".json")
    }


@cache
def echoing_schema(schema_name: str) -> dict[str, Any]:
    """A reply schema with the nonce before its own fields, as endpoints are asked to fill it in."""
    schema = reply_schemas()[schema_name]
    fields = {"nonce": {"type": "string"}, **schema["properties"]}
    return {**schema, "properties": fields, "required": list(fields)}


def reply_form(schema_name: str, lang: str, structured: bool, nonce: str) -> str:
    """What the client appends to a prompt to say how to answer; nothing for `text`.

    Args:
        structured: whether the endpoint can be held to JSON. If not, a leaf score is asked for as
            `[[n]]`; replies of more than one value are asked for as JSON all the same.
        nonce: a word to be repeated in JSON: the last thing shown, so that a reply which has it was
            made for this prompt by a model that read it to the end (cases.md 29).
    """
    if schema_name == "text":
        return ""
    return _fill(_form(schema_name, lang, structured), {"nonce": nonce})


@cache
def _form(schema_name: str, lang: str, structured: bool) -> str:
    """The form of a reply with the place of the nonce left open."""
    if schema_name not in reply_schemas():
        raise PromptError(f"{schema_name!r} is no file in schemas/replies")
    schema = reply_schemas()[schema_name]
    if not structured and "score" in schema["properties"]:
        return render(load_prompts()[f"reply_marked_v1.{lang}"], {}, None)
    form = {"schema_form": '{"nonce": "{nonce}", ' + _skeleton(schema).removeprefix("{")}
    return render(load_prompts()[f"reply_json_v1.{lang}"], form, None)


def _skeleton(schema: Mapping[str, Any]) -> str:
    """A schema as the shape of its instances, which weak models follow better than JSON Schema."""
    if "enum" in schema:
        return f"<{' | '.join(json.dumps(value) for value in schema['enum'])}>"
    match schema["type"]:
        case "object":
            fields = schema["properties"].items()
            return "{" + ", ".join(f'"{key}": {_skeleton(value)}' for key, value in fields) + "}"
        case "array":
            return f"[{_skeleton(schema['items'])}, ...]"
        case kind:
            return f"<{kind}>"
