"""Bytes of a page or file -> its text and what is known of it (pure): html, docx or plain text."""

from typing import Any, Final

from towbench.ingest.decode import Undecodable, decode
from towbench.ingest.extract import Extract, extract, extract_plain
from towbench.ingest.office import DOCX, NotReadable, docx_lines

FIELDS: Final = (
    "title", "author", "published", "text", "lang", "encoding", "status", "reason",
)  # fmt: skip


def read_page(body: bytes, content_type: str | None, url: str | None) -> dict[str, Any]:
    """The fields of FIELDS that are known; a bad page is a status, never an error."""
    try:
        found, encoding = _read(body, content_type or "", url or "")
    except Undecodable as fault:
        return {"status": "undecodable", "reason": str(fault)}
    except NotReadable as fault:
        return {"status": "extract_failed", "reason": str(fault)}
    except Exception as error:  # one page must never stop the batch
        return {"status": "extract_failed", "reason": f"{type(error).__name__}: {error}"[:200]}
    known = {name: getattr(found, name) for name in FIELDS if name != "encoding"}
    return known | {"encoding": encoding}


def _read(body: bytes, content_type: str, url: str) -> tuple[Extract, str]:
    if content_type == DOCX:
        return extract_plain(docx_lines(body)), "utf-8"
    decoded = decode(body, content_type)
    if content_type.startswith("text/plain"):
        return extract_plain(decoded.text.splitlines()), decoded.encoding
    return extract(decoded.text, url), decoded.encoding
