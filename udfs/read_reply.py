"""SQL function `read_reply`: a stored response body -> what the current parser reads in it."""

from typing import Any, Final

import pyarrow as pa

from towbench.prompts import load_prompts
from towbench.udfs.calls import CALLS
from towbench.udfs.reply import canonical, read
from towbench.udfs.request import asked
from towbench.udfs.response import read_response

NAME: Final = "read_reply"
PARAMETERS: Final = ["VARCHAR", "VARCHAR", "VARCHAR", "VARCHAR"]
RETURNS: Final = (
    "STRUCT(value VARCHAR, status VARCHAR, reason VARCHAR, rationale VARCHAR, text VARCHAR)"
)

_BY_REPLY: Final = {form.REPLY: form for form in CALLS}
_TYPE: Final = pa.struct(
    [(name, pa.string()) for name in ("value", "status", "reason", "rationale", "text")]
)


def run(
    call_key: pa.ChunkedArray,
    prompt_id: pa.ChunkedArray,
    dimensions: pa.ChunkedArray,
    body: pa.ChunkedArray,
) -> pa.Array:
    """Key, prompt, `dimensions` and response body of attempts that ended ok -> what they say.

    The row is NULL where the body holds no reply, or the prompt is not of this package.
    """
    columns = (call_key, prompt_id, dimensions, body)
    rows = zip(*(column.to_pylist() for column in columns), strict=True)
    return pa.array([_read(*row) for row in rows], type=_TYPE)


def _read(
    call_key: str, prompt_id: str, dimensions: str | None, body: str | None
) -> dict[str, Any] | None:
    prompt = load_prompts().get(prompt_id)
    if prompt is None or body is None:
        return None
    text = read_response(body, 200, "", prompt.reply == "text").text
    if text is None:
        return None
    found = read(text, _BY_REPLY[prompt.reply], asked(prompt, call_key, dimensions))
    return {
        "value": canonical(found.value) if found.value is not None else None,
        "status": found.status,
        "reason": found.reason,
        "rationale": found.rationale,
        "text": text,
    }
