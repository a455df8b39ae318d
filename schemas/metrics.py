"""The automatic metrics: their names, and what a run that asks for them needs to know of each."""

from __future__ import annotations

import hashlib
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from towbench.schemas.errors import UsageError

SIMILARITY, LEARNED, NO_METRIC = "similarity", "learned", "none"
OVERLAP: Final[dict[str, tuple[str, ...]]] = {
    "bleu": (
        *(f"bleu_{order}" for order in (1, 2, 3, 4)),
        *(f"bleu_released_{order}" for order in (1, 2, 3, 4)),
    ),
    "rouge": ("rouge_1", "rouge_2", "rouge_l"),
}
"""Names in `judge.metric_score` that each of these words in METRICS stands for."""
METRICS: Final = (*OVERLAP, SIMILARITY, LEARNED, NO_METRIC)

# One text in, no completion out; vectors in base64 are a quarter as long as written numbers.
EMBEDDER_SAMPLING: Final[dict[str, float | int | str | bool | None]] = {
    "encoding_format": "base64", "max_tokens": 0,
}  # fmt: skip

Asked = tuple[str, dict[str, float | int | str | bool | None]]
"""Name of a metric and the parameters that its step reads from `run.asked`."""


def is_computed(metric: str) -> bool:
    """Whether a name is one of those that towbench writes itself."""
    names = {name for family in OVERLAP.values() for name in family}
    return metric in names or metric.startswith((f"{SIMILARITY}:", f"{LEARNED}:"))


def asked_metrics(words: tuple[str, ...], embedder: str, checkpoint: Path | None) -> list[Asked]:
    """The metrics that the words of METRICS ask for.

    Args:
        embedder: the model whose vectors `similarity` compares.
        checkpoint: the folder that `learned` loads.

    Raises:
        UsageError: `learned` is asked for and cannot be had.
    """
    asked: list[Asked] = []
    for word in dict.fromkeys(words):
        if word in OVERLAP:
            asked += [(name, {}) for name in OVERLAP[word]]
        elif word == SIMILARITY:
            asked.append((f"{SIMILARITY}:{embedder}", EMBEDDER_SAMPLING))
        elif word == LEARNED:
            asked.append(_learned(checkpoint))
    return asked


def _learned(checkpoint: Path | None) -> Asked:
    """The metric of a checkpoint, named by a hash of its files: other weights are another one."""
    if checkpoint is None:
        raise UsageError(
            "TOWBENCH_METRICS: learned wants the folder of a checkpoint; name it with "
            "TOWBENCH_LEARNED_METRIC"
        )
    if not (checkpoint / "config.json").is_file() or "|" in checkpoint.resolve().name:
        raise UsageError(
            f"TOWBENCH_LEARNED_METRIC: {checkpoint} is no folder with config.json, weights and "
            "tokenizer of a transformers checkpoint (and no '|' in its name)"
        )
    if missing := [name for name in ("torch", "transformers") if find_spec(name) is None]:
        raise UsageError(
            f"TOWBENCH_METRICS: learned needs {' and '.join(missing)}; install the extra: "
            "pip install 'towbench[learned-metrics]'"
        )
    digest = hashlib.sha256()
    for file in sorted(path for path in checkpoint.iterdir() if path.is_file()):
        with file.open("rb") as opened:
            content = hashlib.file_digest(opened, "sha256").hexdigest()
        digest.update(f"{file.name}\0{content}\n".encode())
    folder = checkpoint.resolve()
    return f"{LEARNED}:{folder.name}@{digest.hexdigest()[:8]}", {"path": str(folder)}
