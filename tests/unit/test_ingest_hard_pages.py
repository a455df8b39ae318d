"""Made pages of the kinds that real sites serve and that are hard to read: verse in any mark-up,
texts that only scripts show, offers and comments inside the text, documents put together wrong."""

import json
from html import escape
from urllib.parse import quote

import pytest

from towbench.ingest.document import read_page

URL = "http://site.example/a/1.html"
ZH = [
    "清晨五点，渡口的灯还亮着，船工老许把缆绳一圈一圈盘好，等第一班客人。",
    "他在这条江上撑了四十年的船，哪里有暗礁，哪里水急，闭着眼睛也说得出来。",
    "去年冬天大桥通车以后，坐船的人一天比一天少，有时整个上午只来一个卖菜的妇人。",
    "儿子劝他把船卖了，到城里去住，他不答话，只是把旱烟锅在船舷上磕了又磕。",
    "有一回下大雾，桥上堵了三里路的车，镇上的产妇等不得，是老许摸着雾把人送过了江。",
    "孩子生在对岸的卫生院里，起名叫江生，满月那天抱来给老许看，老许笑得合不拢嘴。",
    "江水照旧往东流，渡口的灯照旧在五点钟亮起来，照着空空的石阶和一只旧船。",
]
EN = [
    "The ferry landing lay at the end of a lane that nobody had paved, and mail came twice a week.",
    "My grandmother kept the ledger of crossings in a school notebook, one line for each passenger.",
    "When the bridge was opened, the council sent a man with a camera, who photographed the boat.",
    "She told him that a bridge is a fine thing until it is closed, and that she would be here.",
    "It happened in the second winter, when ice broke two piers and the road was shut for days.",
    "The notebook is in my desk now; the last entry is my own, and the weather of that day is clear.",
]
FREE = "我把门开着\n等你从雨里回来\n\n桌上的茶凉了三回\n院子里的石榴\n红得像一句没说完的话\n\n你若是不来\n我就把灯\n留到天亮"
LAMP = (
    "I left the lamp beside the stair,\nthe door upon the latch,\n\nand all the night the river went"
    "\nits one unhurried way,\n\nand no one came, and no one wrote,\nand then it was the day."
)
NOTICE = [
    "国渡办发〔2019〕33号",
    "各县（市、区）人民政府，各有关单位：",
    "　　为加强渡口安全管理，保障人民群众生命财产安全，现就有关事项通知如下。",
    "　　一、落实主体责任。各渡口经营单位要建立值班制度，每日开航以前检查船体和缆绳，并作记录。",
    "　　二、严格载客定额。任何渡船不得超过核定人数，遇有大雾、大风和洪水，一律停航。",
    "　　附件：1.渡口安全检查表",
    "市人民政府办公室",
    "2019年6月3日",
]


def text(lines: list[str]) -> str:
    return "\n\n".join(lines)


def p(lines: list[str], tag: str = "p") -> str:
    return "".join(f"<{tag}>{line}</{tag}>" for line in lines)


def links(n: int, label: str = "另一篇文章的题目") -> str:
    return "<ul>" + "".join(f"<li><a href=/{i}>{label}{i}</a></li>" for i in range(n)) + "</ul>"


def lines(poem: str, one: str, blank: str) -> str:
    return "".join(one.format(line) if line else blank for line in poem.split("\n"))


def comments(n: int) -> str:
    return "".join(
        f"<div class=item><b>读者{i}</b><p>很喜欢，{ZH[i % len(ZH)]}</p></div>" for i in range(n)
    )


PAGES = {
    # --- verse ---
    "verse: a numbered line each, breaks between": (
        "<h1>The Lamp</h1><div>" + lines(LAMP, "<span class=linenum>7</span> <span>{}</span><br>", "<br>") + "</div>",
        LAMP,
    ),
    "verse: a short poem under many comments": (
        "<div class=poem>" + lines(FREE, "<p>{}</p>", "<p>&nbsp;</p>") + "</div>"
        f"<div class=comments><h3>评论</h3>{comments(9)}</div>",
        FREE,
    ),
    "verse: a block for each stanza, a paragraph for each line": (
        "".join("<div class=stanza>" + p(stanza.split("\n")) + "</div>" for stanza in FREE.split("\n\n")),
        FREE,
    ),
    "verse: wrapped twice, the account's advertisement below": (
        "<div style='visibility:hidden'>" + lines(FREE, "<section><section><span>{}</span></section></section>",
                                                  "<section><br></section>")
        + "</div><div>微信扫一扫关注该公众号</div>",
        FREE,
    ),
    "verse: cells of a table between link columns": (
        f"<table><tr><td>{links(20)}</td><td><table>" + lines(FREE, "<tr><td>{}</td></tr>", "<tr><td>&nbsp;</td></tr>")
        + f"</table></td><td>{links(20)}</td></tr></table>",
        FREE,
    ),
    "verse: breaks in a font tag, lines indented by spaces": (
        f"<table><tr><td>{links(9)}</td><td><font size=3>" + lines(FREE, "&nbsp;&nbsp;{}<br/>\n", "<br/>")
        + "</font></td></tr></table>",
        FREE,
    ),
    "verse: where it was printed, to the right below": (
        f"{links(9)}<div><div><ul>{p(FREE.replace(chr(10) * 2, chr(10)).split(chr(10)), 'li')}</ul><div style='text-align:"
        "right;padding:9px'>(摘自《渡口集》)</div></div></div>",
        FREE.replace("\n\n", "\n") + "\n\n(摘自《渡口集》)",
    ),
    "verse: an item for each stanza, breaks in it": (
        "<ul>" + "".join("<li>" + stanza.replace("\n", "<br>") + "</li>" for stanza in FREE.split("\n\n")) + "</ul>",
        FREE,
    ),
    "verse: half lines that a wide space parts": (
        "<h1>夜渡</h1><p>江上灯初起，　舟中客未眠。<br>一声何处笛，　吹落满江烟。<br>江上灯初起，　舟中客未眠。<br>一声何处笛，　吹落满江烟。</p>",
        "\n".join(["江上灯初起，　舟中客未眠。", "一声何处笛，　吹落满江烟。"] * 2),
    ),
    # --- texts that a script would show ---
    "unseen: the second half until a button is pressed": (
        f"<div>{p(ZH[:4])}<div style='display:none'>{p(ZH[4:])}</div></div><a href=javascript:;>展开全文</a>",
        text(ZH),
    ),
    "unseen: the whole text beside navigation": (
        f"{links(40)}<h1>渡口</h1><div style='display:none'>{p(ZH)}</div>",
        text(ZH),
    ),
    "unseen: escaped in a text field": (
        f"<div>渡口</div><textarea style='display:none'>{escape(p(ZH))}</textarea><div id=zoom></div>",
        text(ZH),
    ),
    "unseen: a template": (f"{links(20)}<script type='text/template'><div>{p(ZH)}</div></script>", text(ZH)),
    "unseen: a template element": (f"{links(20)}<template><div>{p(ZH)}</div></template>", text(ZH)),
    "unseen: only without scripts": (f"{links(120)}<noscript><div>{p(ZH)}</div></noscript>", text(ZH)),
    "unseen: escaped html in a single-quoted string": (
        f"{links(8)}<script>var DATA = {{title: '渡口', content: '{escape(p(ZH))}'}}</script>",
        text(ZH),
    ),
    "unseen: the state of an app, in escapes": (
        f"{links(8)}<script>window.__STATE__="
        + json.dumps({"title": "渡口", "body": p(ZH)}).replace("<", "\\u003c") + ";</script>",
        text(ZH),
    ),
    "unseen: the rest of a text that is long without it": (
        f"<div>{p(ZH)}<div hidden>{p(NOTICE[2:5])}</div></div>",
        text(ZH + NOTICE[2:5]),
    ),
    "unseen: escaped as an address": (
        f"{links(8)}<script id=DATA type=application/json>{quote(json.dumps({'body': p(ZH)}))}</script>",
        text(ZH),
    ),
    "unseen: in the escapes of a script": (
        f"{links(8)}<script>var a='" + p(ZH).replace("<", "\\x3c").replace(">", "\\x3e") + "'</script>",
        text(ZH),
    ),
    "unseen: JSON in a string of a script": (
        f"{links(8)}<script>push([1,{json.dumps(json.dumps({'body': p(ZH)}))}])</script>",
        text(ZH),
    ),
    "unseen: JSON-LD beside a hundred links": (
        f"{links(120)}<script type='application/ld+json'>"
        + json.dumps({"@graph": [{"@type": "Article", "articleBody": "\n".join(ZH)}]}) + "</script>",
        text(ZH),
    ),
    # --- inside and after the text ---
    "news: other texts offered in the middle": (
        f"<div>{p(ZH[:5])}<h3>相关阅读</h3>{links(4)}{p(ZH[5:])}</div>",
        text(ZH),
    ),
    "news: an app and a label of the site after the text": (
        f"<div>{p(ZH[:4])}<div><span>广告</span></div>{p(ZH[4:])}<div>打开江城APP，阅读体验更佳</div>"
        "<div>关键词：渡口 江城</div></div>",
        text(ZH),
    ),
    "news: paragraphs that begin like labels": (
        p(["发布2019年度渡口名录时，老许正在江心，一句也没有听见。", *ZH, "关闭渡口的那天，编辑部来了两个人，他请他们喝了茶。",
           "转载这条消息的人很多，来过渡口的人很少。"]),
        text(["发布2019年度渡口名录时，老许正在江心，一句也没有听见。", *ZH, "关闭渡口的那天，编辑部来了两个人，他请他们喝了茶。",
              "转载这条消息的人很多，来过渡口的人很少。"]),
    ),
    "news: the page goes on after its end tags": (
        f"{links(9)}</body></html><html><body><div><div>{'<p>'.join(['', *ZH])}<div>{links(9)}",
        text(ZH),
    ),
    "news: footnotes, a quotation, a list": (
        f"<article><p>{EN[0]}<sup><a href=#f1>1</a></sup></p>{p(EN[1:3])}<blockquote><p>{EN[3]}</p><cite>— Her words</cite>"
        f"</blockquote><ul><li>A tin of coins</li><li>A spare oar</li></ul>{p(EN[4:])}"
        "<ol class=footnotes><li>The lane was paved in 1988.</li></ol></article>",
        text([f"{EN[0]}1", *EN[1:4], "— Her words", "A tin of coins\nA spare oar", *EN[4:], "The lane was paved in 1988."]),
    ),
    "english: headings that are links": (
        "".join(f"<h3><a href=/{n}>Entry {n}</a></h3><p>{line}</p>" for n, line in enumerate(EN)),
        text([part for n, line in enumerate(EN) for part in (f"Entry {n}", line)]),
    ),
    "english: thoughts of readers under a text": (
        f"<article>{p(EN)}</article><div id=disqus_thread><h3>12 thoughts on “The Ledger”</h3>" + "".join(
            f"<div class=c><cite>Bob {n}</cite> <a href=#>May {n}, 2024 at 3:10 pm</a><p>I loved this. {line}</p></div>"
            for n, line in enumerate(EN * 3)) + "</div>",
        text(EN),
    ),
    "english: a letter to sign up for, an author's note and tags": (
        f"<article>{p(EN[:3])}<div class=newsletter><h3>Our letter</h3><p>It comes every Friday. Leave whenever you "
        f"like.</p></div>{p(EN[3:])}<p>Tags: <a href=/t>river</a></p></article><p>Posted in Essays</p>",
        text(EN),
    ),
    # --- official documents ---
    "gov: a signature block beside the text": (
        f"<table><tr><td>索引号：</td><td>113/2019</td></tr></table><div><div>{p(NOTICE[:6])}</div><div align=right>"
        f"{p(NOTICE[6:])}</div></div><div>扫一扫在手机打开当前页</div>",
        text(NOTICE),
    ),
    "gov: word processor mark-up": (
        "".join(f"<p class=MsoNormal><span lang=EN-US><o:p></o:p></span><span style='font-family:仿宋'>{line}</span></p>"
                for line in NOTICE),
        text(NOTICE),
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", PAGES)
def test_hard_pages(name: str) -> None:
    page, expected = PAGES[name]
    body = f"<html><head><title>渡口_某某网</title></head><body>{page}</body></html>"
    assert read_page(body.encode("gb18030"), "text/html", URL)["text"] == expected


@pytest.mark.parametrize(
    "data", [{"list": [{"body": p(ZH[n:] + ZH[:n])} for n in range(5)]}, {"tip": "河" * 300}]
)
def test_a_list_of_texts_in_a_script_is_no_article(data: object) -> None:
    page = f"{links(20)}<script>var a={json.dumps(data)}</script>"
    assert read_page(page.encode(), "text/html", URL)["status"] == "not_article"


def test_escapes_of_scripts_are_read_as_scripts_do() -> None:
    script = r"\x3cp>C:\\windows, it\'s \"his\"\x3c\/p>" + "".join(map(r"\x3cp>{}".format, EN))
    page = f"{links(20)}<script>var a='{script}'</script>"
    expected = text(['C:\\windows, it\'s "his"', *EN])
    assert read_page(page.encode(), "text/html", URL)["text"] == expected


@pytest.mark.parametrize(
    "veiled",
    [p(ZH), "<p>" + "我们使用小型文本文件。继续浏览即表示同意。详情请见说明。" * 5 + "</p>"],
)
def test_what_is_veiled_is_no_more_of_a_text(veiled: str) -> None:
    """A copy for small screens, and a notice beside the text."""
    page = f"<div>{p(ZH)}</div><div hidden>{veiled}</div>"
    assert read_page(page.encode(), "text/html", URL)["text"] == text(ZH)


@pytest.mark.parametrize(
    ("poem", "status"),
    [
        (lines(FREE, "{}<br>", "<br>"), "ok"),
        ("<p>" + "</p><p>".join(["江上灯起，", "客未成眠。"] * 5) + f"</p><p>{ZH[0]}</p>", "ok"),
        (p(["关于我们的历史", "联系方式与地址", "版本更新的说明"] * 3), "too_short"),
        (lines("编号：19\n颜色：红\n\n重量：重\n产地：江城\n日期：今年\n价格：平价\n库存：许多多多", "{}<br>", "<br>"), "too_short"),
    ],
)  # fmt: skip
def test_short_verse_is_told_from_labels(poem: str, status: str) -> None:
    assert read_page(f"<div>{poem}</div>".encode(), "text/html", URL)["status"] == status
