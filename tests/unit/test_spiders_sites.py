"""The sample sites are what they claim: real encodings, planted traps, every text served."""

from collections import Counter
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest
from parsel import Selector

from towbench.spiders.sites.layout import LAYOUTS, publisher
from towbench.spiders.sites.render import Site, parts, sample_sites
from towbench.spiders.sites.server import sample_server, serve
from towbench.spiders.sites.texts import Text, parse, sample_texts
from towbench.spiders.sites.traps import FORBIDDEN, OFFSITE, lying

GENRES = {
    "fiction", "poem", "prose", "comment", "argumentative", "report",
    "letters", "speech", "plan", "contract", "regulation", "others",
}  # fmt: skip


@pytest.fixture(scope="module")
def sites() -> dict[str, Site]:
    return sample_sites()


def words(html: str) -> str:
    return "".join("".join(Selector(html).css("::text").getall()).split())


def own_texts(source: str) -> list[Text]:
    return [text for text in sample_texts() if publisher(text) == source]


def test_bundled_texts_cover_languages_and_genres() -> None:
    texts = sample_texts()
    by_lang = Counter(text.lang for text in texts)
    assert by_lang["zh"] >= 48
    assert by_lang["en"] >= 12
    assert {text.genre for text in texts if text.lang == "zh"} == GENRES
    assert all(text.title and text.author and len(text.day) == 8 for text in texts)
    assert len({text.number for text in texts}) == len(texts)


def test_every_site_has_texts_and_there_are_seven(sites: dict[str, Site]) -> None:
    assert len(sites) >= 7
    assert all(own_texts(source) for source in sites)


@pytest.mark.parametrize("source", LAYOUTS)
def test_every_text_is_served_whole_in_the_true_encoding(
    source: str, sites: dict[str, Site]
) -> None:
    layout = LAYOUTS[source]
    for text in own_texts(source):
        folder = layout.category(text)[0]
        served = "".join(
            words(sites[source][path].body.decode(layout.encoding))
            for path, _ in parts(layout, folder, text)
        )
        for line in text.body.split():
            assert line in served or "".join(line.split()) in served, (text.name, line)


@pytest.mark.parametrize("source", ["diyifanwen", "chinesejy"])
def test_gbk_sites_are_labelled_gb2312_but_hold_more(source: str, sites: dict[str, Site]) -> None:
    pages = [answer.body for answer in sites[source].values() if b"charset=gb2312" in answer.body]
    assert pages
    for body in pages:
        with pytest.raises(UnicodeDecodeError):
            body.decode("utf-8")
        body.decode("gbk")


def test_windows_1252_site_uses_bytes_that_latin_1_lacks(sites: dict[str, Site]) -> None:
    bodies = b"".join(answer.body for answer in sites["americanrhetoric"].values())
    assert any(byte in bodies for byte in b"\x91\x92\x93\x94\x96\x97")
    assert b"charset=windows-1252" in bodies


def test_lying_page_claims_utf_8_and_is_gbk(sites: dict[str, Site]) -> None:
    text = lying("chinesejy", own_texts("chinesejy"))
    assert text is not None
    layout = LAYOUTS["chinesejy"]
    answer = sites["chinesejy"][layout.article_path(layout.category(text)[0], text, 1)]
    assert answer.content_type == "text/html; charset=utf-8"
    assert b"charset=utf-8" in answer.body
    assert text.title in answer.body.decode("gbk")


def test_reprints_appear_on_a_second_site(sites: dict[str, Site]) -> None:
    (exact, edited) = own_texts("zjxc")[0], own_texts("diyifanwen")[0]
    gongwen = [answer.body.decode() for answer in sites["gongwen"].values()]
    assert sum(words(exact.paragraphs[0][0]) in words(page) for page in gongwen) == 1
    copies = [answer.body.decode("gb18030") for answer in sites["chinesejy"].values()]
    assert any(f"<h1>{edited.title}（精选）</h1>" in page for page in copies)
    assert not any(edited.body in page for page in copies)


def test_poems_keep_verses_and_stanzas(sites: dict[str, Site]) -> None:
    poem = next(text for text in own_texts("chinawriter") if text.genre == "poem")
    path = LAYOUTS["chinawriter"].article_path("", poem, 1)
    html = sites["chinawriter"][path].body.decode()
    first, second = poem.paragraphs[:2]
    assert f"{first[0]}<br>{first[1]}" in html
    assert f"{first[-1]}<br><br>{second[0]}" in html


def test_traps_stand_in_lists(sites: dict[str, Site]) -> None:
    zjxc = sites["zjxc"]["/zjxc/index.shtml"].body.decode()
    assert OFFSITE in zjxc
    assert "/zjxc/202401/t20240101_1000001.shtml" in zjxc
    assert "/zjxc/202401/t20240101_1000001.shtml" not in sites["zjxc"]
    assert any(
        FORBIDDEN.encode() in answer.body
        for path, answer in sites["diyifanwen"].items()
        if path != "/robots.txt"
    )
    assert FORBIDDEN.encode() in sites["diyifanwen"]["/robots.txt"].body


def test_lists_and_articles_go_on_over_pages(sites: dict[str, Site]) -> None:
    assert "/index2.html" in sites["chinawriter"]
    assert "/zjxc/index_1.shtml" in sites["zjxc"]
    assert "/essays/page/2/" in sites["ivypanda"]
    for source, mark in (
        ("chinawriter", "-2.html"),
        ("diyifanwen", "_2.htm"),
        ("chinesejy", "_2.html"),
    ):
        assert any(path.endswith(mark) for path in sites[source]), source


def test_text_without_front_matter_is_named() -> None:
    with pytest.raises(ValueError, match=r"x\.zh\.md: front matter lacks 'title'"):
        parse("x.zh.md", "just words\n")


def test_server_answers_on_one_port_a_site_and_stops() -> None:
    with sample_server() as base:
        assert len(set(base.values())) == len(base) >= 7
        with urlopen(base["zjxc"] + "/zjxc/index.shtml") as response:
            assert response.headers["Content-Type"] == "text/html; charset=utf-8"
        with pytest.raises(HTTPError, match="404"):
            urlopen(base["zjxc"] + "/none")
    with pytest.raises(OSError):
        urlopen(base["zjxc"] + "/zjxc/index.shtml")


def test_server_notes_requests() -> None:
    log: dict[str, list[str]] = {"zjxc": []}
    with (
        serve({"zjxc": sample_sites()["zjxc"]}, log) as base,
        urlopen(base["zjxc"] + "/zjxc/index.shtml"),
    ):
        assert log == {"zjxc": ["/zjxc/index.shtml"]}
