"""The skeleton of a source: its test passes as written, and the source is found."""

from importlib import import_module
from pathlib import Path

import pytest

from towbench.schemas.errors import UsageError
from towbench.spiders import sources
from towbench.spiders.frontier import date_in
from towbench.spiders.new_source import new_source
from towbench.spiders.sources.obooko import ObookoPage


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "tests").mkdir()
    (tmp_path / "spiders" / "sources").mkdir(parents=True)
    return tmp_path


def test_the_skeleton_is_a_source_whose_test_passes(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written = new_source("my_site", root)
    assert [path.relative_to(root).as_posix() for path in written] == [
        "spiders/sources/my_site.py",
        "tests/fixtures/my_site/list.html",
        "tests/fixtures/my_site/article.html",
        "tests/unit/test_source_my_site.py",
    ]
    monkeypatch.setattr(sources, "__path__", [*sources.__path__, str(root / "spiders" / "sources")])
    assert sources.find_sources()["my_site"].__name__ == "MySiteSpider"
    assert "my_site" not in sources.SOURCES
    test = root / "tests" / "unit" / "test_source_my_site.py"
    names: dict[str, object] = {"__file__": str(test), "__name__": "t"}
    exec(compile(test.read_text("utf-8"), str(test), "exec"), names)
    ran = [thing() for name, thing in names.items() if name.startswith("test_") and callable(thing)]
    assert len(ran) == 2
    assert import_module("towbench.spiders.sources.my_site").MySiteSpider.site


@pytest.mark.parametrize("name", ["zjxc", "../x", "My", "", "a b", "1a"])
def test_bad_names_are_refused(root: Path, name: str) -> None:
    with pytest.raises(UsageError):
        new_source(name, root)


def test_no_checkout_is_said(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no checkout"):
        new_source("mine", tmp_path)


def test_obooko_gives_catalogue_and_blurbs() -> None:
    body = b"""<a href="/free-poetry-books/the-tide">Tide</a><a href="/free-poetry-books/">Poetry</a>
        <a href="/login">Log in</a><div class="pagination"><a href="/free-poetry-books/?page=2">2</a></div>"""
    site = "https://www.obooko.com"
    catalogue = ObookoPage(f"{site}/free-poetry-books/", body)
    assert catalogue.kind == "list"
    assert catalogue.articles == [f"{site}/free-poetry-books/the-tide"]
    assert f"{site}/free-poetry-books/?page=2" in catalogue.lists
    book = ObookoPage(f"{site}/free-poetry-books/the-tide", b"<h1>Tide</h1><p>A blurb.")
    assert (book.kind, book.next_part) == ("article", None)


@pytest.mark.parametrize(
    ("url", "day"),
    [
        ("http://www.chinawriter.com.cn/n1/2024/0305/c404057-40189.html", "2024-03-05"),
        ("https://zjnews.zjol.com.cn/zjxc/202401/t20240119_26587.shtml", "2024-01-19"),
        ("http://www.chinawriter.com.cn/2013/2013-05-06/160957.html", "2013-05-06"),
        ("https://www.diyifanwen.com/fanwen/shuxin/1234567.htm", None),
    ],
)
def test_the_day_in_an_address(url: str, day: str | None) -> None:
    assert date_in(url) == day
