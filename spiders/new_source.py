"""Writes the skeleton of a new source: spider with page class, fixture pages, test."""

import re
from pathlib import Path

from towbench.schemas.errors import UsageError
from towbench.spiders.sources import SOURCES

SPIDER = '''\
"""{name}: say what is written there, in which encoding, and where these facts come from."""

from towbench.spiders.page import Page
from towbench.spiders.site import SiteSpider


class {title}Page(Page):
    encoding = "utf-8"
    article_body = "div.article"
    article_links = "ul.list a"
    list_links = "div.pager a"
    part_links = "div.parts a"


class {title}Spider(SiteSpider):
    name = "{name}"
    site = "https://www.{name}.example"
    start_path = "/"
    page = {title}Page
'''
LIST = """\
<!DOCTYPE html>
<html><head><meta charset="utf-8"><title>{name}</title></head><body>
<ul class="list"><li><a href="/a/1.html">First</a></li><li><a href="/a/2.html">Second</a></li></ul>
<div class="pager"><a href="/list_2.html">Next</a></div>
</body></html>
"""
ARTICLE = """\
<!DOCTYPE html>
<html><head><meta charset="utf-8"><title>First - {name}</title></head><body><h1>First</h1>
<div class="article"><p>Save a real page here, as the server sent it.</p>
<div class="parts"><a href="/a/1_2.html">Next</a></div></div>
</body></html>
"""
TEST = '''\
"""The pages of {name}, saved in tests/fixtures/{name}: what is an article, and where to go next."""

from pathlib import Path

from towbench.spiders.sources.{name} import {title}Spider

FIXTURES = Path(__file__).parents[1] / "fixtures" / "{name}"
SITE = str({title}Spider.site)


def page(path: str, file: str):  # type: ignore[no-untyped-def]
    return {title}Spider.page(SITE + path, (FIXTURES / file).read_bytes())


def test_a_list_names_articles_and_the_next_list() -> None:
    found = page("/", "list.html")
    assert found.kind == "list"
    assert found.articles == [SITE + "/a/1.html", SITE + "/a/2.html"]
    assert found.lists == [SITE + "/list_2.html"]


def test_an_article_names_its_next_part() -> None:
    found = page("/a/1.html", "article.html")
    assert found.kind == "article"
    assert found.next_part == SITE + "/a/1_2.html"
'''


def new_source(name: str, root: Path) -> list[Path]:
    """Write the files of source `name` below `root`, the checkout; returns their paths.

    Raises:
        UsageError: the name is no lower-case word, is taken, or `root` is no checkout.
    """
    if not re.fullmatch(r"[a-z][a-z0-9_]{1,30}", name):
        raise UsageError(f"source {name!r}: lower-case letters, digits and _ only")
    folder = root / "spiders" / "sources"
    if name in SOURCES or (folder / f"{name}.py").exists():
        raise UsageError(f"source {name} is there already")
    if not (root / "tests").is_dir() or not folder.is_dir():
        raise UsageError(f"{root}: no checkout of towbench; clone it to add a source")
    texts = {
        folder / f"{name}.py": SPIDER,
        root / "tests" / "fixtures" / name / "list.html": LIST,
        root / "tests" / "fixtures" / name / "article.html": ARTICLE,
        root / "tests" / "unit" / f"test_source_{name}.py": TEST,
    }
    title = "".join(part.capitalize() for part in name.split("_"))
    for path, text in texts.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text.replace("{name}", name).replace("{title}", title), "utf-8")
    return list(texts)
