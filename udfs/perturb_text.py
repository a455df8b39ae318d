"""SQL function `perturb_text`: a writing -> its copy under a rule-made perturbation or an attack.

The draw is seeded by perturbation, seed and writing id: the same three give the same copy in every
run and process. Where a text leaves nothing to perturb, or the copy would equal it, `text` is NULL.
"""

from __future__ import annotations

import hashlib
import random
from typing import Final

import pyarrow as pa

from towbench.schemas.perturbations import attacks
from towbench.udfs.perturb import DAMAGES, matched, plant

NAME: Final = "perturb_text"
PARAMETERS: Final = ["VARCHAR", "INTEGER", "VARCHAR", "VARCHAR", "VARCHAR", "VARCHAR"]
RETURNS: Final = "VARCHAR"
PERTURB_VERSION: Final = "perturb_v1"
"""Named by step 56: copies made by another version are made again."""


def run(
    perturbation: pa.ChunkedArray,
    seed: pa.ChunkedArray,
    writing_id: pa.ChunkedArray,
    lang: pa.ChunkedArray,
    text: pa.ChunkedArray,
    instruction: pa.ChunkedArray,
) -> pa.Array:
    """Perturbation, seed, writing and its texts -> the perturbed text; `lang` is `zh` or `en`."""
    columns = (perturbation, seed, writing_id, lang, text, instruction)
    rows = zip(*(column.to_pylist() for column in columns), strict=True)
    return pa.array([perturbed(*row) for row in rows], pa.string())


def perturbed(
    perturbation: str, seed: int, writing_id: str, lang: str, text: str, instruction: str
) -> str | None:
    """One copy.

    Raises:
        KeyError: no rule makes this perturbation.
    """
    if not text.strip():
        return None
    name, _, kind = perturbation.partition(":")
    # A damage and its matched twin draw alike: they differ in length alone.
    key = f"{name}|{seed}|{writing_id}".encode("utf-8", "surrogatepass")
    draw = random.Random(hashlib.sha256(key).digest())
    copy: str | None
    if name == "attack":
        copy = plant(text, lang, attacks()[kind])
    elif name == "prompt_copy":
        copy = instruction
    else:
        copy = DAMAGES[name](text, lang, draw)
        if copy is not None and kind == "matched":
            copy = matched(copy, text, lang, draw)
    return copy if copy and copy.split() not in ([], text.split()) else None
