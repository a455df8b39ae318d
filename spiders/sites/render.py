"""Renders the sample sites: texts in, the answer to every path out."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import ceil
from typing import Any

from jinja2 import Environment, PackageLoader

from towbench.spiders.sites.layout import LAYOUTS, Layout, publisher
from towbench.spiders.sites.texts import Text, sample_texts
from towbench.spiders.sites.traps import ROBOTS, TRAPS, Trap, editions, lying

TEMPLATES = Environment(
    loader=PackageLoader("towbench.spiders.sites"), autoescape=True, trim_blocks=True
)


@dataclass(frozen=True)
class Answer:
    """What the server sends for one path."""

    body: bytes
    content_type: str
    compressed: bool = False
    status: int = 200
    location: str | None = None


Site = dict[str, Answer]
"""The answers of one site by path; any other path is a 404."""


def sample_sites(texts: Sequence[Text] | None = None) -> dict[str, Site]:
    """All sample sites by source name, publishing the bundled (or the given) texts."""
    assigned: dict[str, list[Text]] = {source: [] for source in LAYOUTS}
    for text in sample_texts() if texts is None else texts:
        assigned[publisher(text)].append(text)
    return {
        source: dict(render(source, published)) for source, published in editions(assigned).items()
    }


def render(source: str, texts: Sequence[Text]) -> Iterator[tuple[str, Answer]]:
    """The pages of one site by path."""
    layout = LAYOUTS[source]
    liar = lying(source, texts)
    categories: dict[tuple[str, str], list[Text]] = {}
    for text in texts:
        categories.setdefault(layout.category(text), []).append(text)
    folders = [
        {"label": label, "url": layout.list_path(folder, 1)} for folder, label in sorted(categories)
    ]

    def page(template: str, lie: bool = False, **slots: Any) -> Answer:
        declared = "utf-8" if lie else layout.declared
        html = TEMPLATES.get_template(template).render(
            slots, host=f"{source}.example", declared=declared, folders=folders
        )
        header = f"; charset={declared}" if layout.header_charset or lie else ""
        body = html.encode(layout.encoding, "xmlcharrefreplace")
        return Answer(body, f"text/html{header}", layout.compressed)

    if source in ROBOTS:
        yield "/robots.txt", Answer(ROBOTS[source].encode(), "text/plain")
    if layout.home is not None:
        yield layout.home, page(f"{source}/home.html")
    traps = TRAPS.get(source, [])
    for trap in traps:
        if trap.page is not None:
            yield trap.href, page(trap.page, title=trap.title)
    for (folder, label), members in categories.items():
        for path, slots in lists(layout, folder, members, traps):
            yield path, page(f"{source}/list.html", label=label, **slots)
        traps = []  # they stand in the first list only
        for text in members:
            related = [
                {"title": other.title, "url": layout.article_path(folder, other, 1)}
                for other in members
            ]
            for path, slots in parts(layout, folder, text):
                yield (
                    path,
                    page(
                        f"{source}/article.html",
                        text is liar,
                        label=label,
                        related=related[:4],
                        **slots,
                    ),
                )


def lists(
    layout: Layout, folder: str, texts: Sequence[Text], traps: Sequence[Trap]
) -> Iterator[tuple[str, dict[str, Any]]]:
    """The list pages of one category, newest text first."""
    newest = sorted(texts, key=lambda text: (text.published, text.name), reverse=True)
    entries = [
        {"title": text.title, "author": text.author, "published": text.published, "url": url}
        for text in newest
        for url in [layout.article_path(folder, text, 1)]
    ]
    entries[2:2] = [
        {"title": trap.title, "author": "", "published": "2024-01-01", "url": trap.href}
        for trap in traps
    ]
    pager = [
        layout.list_path(folder, page + 1) for page in range(ceil(len(entries) / layout.list_size))
    ]
    for page, path in enumerate(pager):
        shown = entries[page * layout.list_size : (page + 1) * layout.list_size]
        yield path, {"entries": shown, "pager": pager, "page": page}


def parts(layout: Layout, folder: str, text: Text) -> Iterator[tuple[str, dict[str, Any]]]:
    """The pages of one article, paragraphs shared out evenly; a poem is never cut."""
    paragraphs = text.paragraphs
    number = 1
    if layout.part_chars and text.genre != "poem":
        number = min(ceil(len(text.body) / layout.part_chars), len(paragraphs))
    size = ceil(len(paragraphs) / number)
    pager = [
        layout.article_path(folder, text, part + 1) for part in range(ceil(len(paragraphs) / size))
    ]
    for page, path in enumerate(pager):
        shown = paragraphs[page * size : (page + 1) * size]
        yield path, {"text": text, "paragraphs": shown, "pager": pager, "page": page}
