"""A .docx file -> its lines (pure): WordprocessingML read with lxml, nothing of it is run.

Paragraphs are lines, an empty paragraph is an empty line, `<w:br/>` ends a line, a table row is one
line with its cells apart by two spaces. Deleted text, comments, headers and footers are left out.
"""

import io
import zipfile
from typing import Final

from lxml import etree

DOCX: Final = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
MAX_XML: Final = 64 * 2**20
_W: Final = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_LEFT_OUT: Final = {f"{_W}{name}" for name in ("del", "moveFrom", "instrText", "footnoteReference")}


class NotReadable(ValueError):
    """The file is no .docx that can be read; the message says why."""


def docx_lines(body: bytes) -> list[str]:
    """The document's lines in reading order.

    Raises:
        NotReadable: no zip, no document in it, damaged, or larger than MAX_XML unpacked.
    """
    try:
        with (
            zipfile.ZipFile(io.BytesIO(body)) as archive,
            archive.open("word/document.xml") as part,
        ):
            xml = part.read(MAX_XML + 1)
    except (zipfile.BadZipFile, KeyError, OSError, RuntimeError, EOFError, ValueError) as error:
        raise NotReadable(f"no docx: {error}"[:200]) from error
    except Exception as error:  # zlib.error and what other compressors raise
        raise NotReadable(f"no docx: {type(error).__name__}") from error
    if len(xml) > MAX_XML:
        raise NotReadable("docx_too_large")
    parser = etree.XMLParser(resolve_entities=False, no_network=True, recover=True, huge_tree=True)
    root = etree.fromstring(xml, parser)
    if root is None or (main := root.find(f"{_W}body")) is None:
        raise NotReadable("docx_without_body")
    lines: list[str] = []
    for block in main.iter(f"{_W}p", f"{_W}tr"):
        if any(True for _ in block.iterancestors(f"{_W}tr")):
            continue
        if block.tag == f"{_W}tr":
            cells = [" ".join(filter(None, map(_text, cell.iter(f"{_W}p")))) for cell in block]
            lines.append("  ".join(filter(None, cells)))
        else:
            lines += _text(block).split("\n")
    return lines


def _text(paragraph: etree._Element) -> str:
    parts: list[str] = []
    waiting = [paragraph]
    while waiting:
        element = waiting.pop()
        if element.tag == f"{_W}t":
            parts.append(element.text or "")
        elif element.tag in (f"{_W}br", f"{_W}cr"):
            parts.append("\n")
        elif element.tag == f"{_W}tab":
            parts.append("\t")
        elif element.tag not in _LEFT_OUT:
            waiting += reversed(element)
    return "".join(parts)
