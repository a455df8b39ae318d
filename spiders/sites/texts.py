"""The texts that the sample sites publish: `sample_texts/<name>.<lang>.md` with front matter."""

from dataclasses import dataclass
from importlib.resources import files
from zlib import crc32

FOLDER = files("towbench.spiders") / "sample_texts"


@dataclass(frozen=True)
class Text:
    """One text; blank lines part its paragraphs (in poems: stanzas), verses are lines."""

    name: str
    lang: str
    title: str
    author: str
    published: str
    genre: str
    body: str

    @property
    def number(self) -> int:
        """A seven-digit id for URLs that no other text's coming or going changes."""
        return 1_000_000 + crc32(self.name.encode()) % 9_000_000

    @property
    def day(self) -> str:
        """Date of publication as YYYYMMDD."""
        return self.published.replace("-", "")

    @property
    def paragraphs(self) -> list[list[str]]:
        """Paragraphs as lists of lines."""
        return [block.splitlines() for block in self.body.split("\n\n") if block.strip()]


def parse(filename: str, source: str) -> Text:
    """Reads one file.

    Raises:
        ValueError: No front matter, or a field is missing; the message names the file.
    """
    _, front, body = [*source.split("---\n", 2), "", ""][:3]
    fields = dict(line.split(": ", 1) for line in front.splitlines() if ": " in line)
    name, lang, _ = filename.rsplit(".", 2)
    try:
        given = {key: fields[key].strip() for key in ("title", "author", "published", "genre")}
    except KeyError as missing:
        raise ValueError(f"{filename}: front matter lacks {missing}") from None
    return Text(name=name, lang=lang, body=body.strip(), **given)


def sample_texts() -> list[Text]:
    """All bundled texts, by file name."""
    found = sorted((file.name, file) for file in FOLDER.iterdir() if file.name.endswith(".md"))
    return [parse(name, file.read_text("utf-8")) for name, file in found]
