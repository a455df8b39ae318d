"""trafilatura's reading of a page, for the pages on which ours finds nothing (pure).

It also knows texts that no reader's eye would see in the mark-up: hidden until a script runs, in
`<noscript>`, in JSON-LD. Its XML output keeps paragraphs, heads, items and line breaks; its option
`deduplicate` stays off: it remembers texts across pages and eats refrains (cases G32).
"""

from typing import Final

import trafilatura
from lxml import etree

from towbench.ingest.page_lines import Line, page_lines

_AS_HTML: Final = {
    "lb": "br", "item": "li", "head": "h2", "hi": "b", "ref": "span", "row": "tr", "cell": "td",
    "quote": "blockquote", "list": "ul",
}  # fmt: skip


def second_opinion(page: str) -> list[Line]:
    """Lines of the article that trafilatura finds; none when it finds nothing either."""
    xml = trafilatura.extract(page, output_format="xml", include_comments=False)
    main = etree.fromstring(xml.encode()).find("main") if xml else None
    if main is None:
        return []
    for element in main.iter(etree.Element):
        element.tag = _AS_HTML.get(element.tag, element.tag)
    return page_lines(main)
