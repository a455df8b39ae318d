"""SQL function `measure_learned`: a learned metric, such as BLEURT (Sellam 2020), from a folder.

The folder holds a transformers checkpoint for sequence classification with one output, which reads
(reference, text) and gives a number: the regression head of BLEURT and its like. It runs on the
processor. torch and transformers come with the extra `learned-metrics` and load when first called.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from itertools import groupby
from operator import itemgetter
from threading import Lock
from typing import Any, Final

import pyarrow as pa

NAME: Final = "measure_learned"
PARAMETERS: Final = ["VARCHAR", "VARCHAR", "VARCHAR"]
RETURNS: Final = "STRUCT(score DOUBLE, status VARCHAR, reason VARCHAR)"
METRIC_VERSION: Final = "regression_v1"

_TOGETHER: Final = 16
_TYPE: Final = pa.struct(
    [("score", pa.float64()), ("status", pa.string()), ("reason", pa.string())]
)
_ONE_AT_A_TIME: Final = Lock()

Pair = tuple[str, str]


class CheckpointError(Exception):
    """The checkpoint cannot be used at all: the setting to mend, and what is wrong with it."""


def run(path: pa.ChunkedArray, text: pa.ChunkedArray, reference: pa.ChunkedArray) -> pa.Array:
    """Folder of the checkpoint, text and reference of pairs -> score, or why there is none.

    A pair longer than the model reads is cut, the longer text first, and its reason says so.

    Raises:
        CheckpointError: no pair can be measured with this checkpoint.
    """
    rows: list[dict[str, Any]] = []
    columns = (path.to_pylist(), reference.to_pylist(), text.to_pylist())
    # Threads of DuckDB would only take the model's own threads away from each other.
    with _ONE_AT_A_TIME:
        for folder, group in groupby(zip(*columns, strict=True), key=itemgetter(0)):
            pairs = [(given, said) for _, given, said in group]
            for start in range(0, len(pairs), _TOGETHER):
                rows += _load(folder).measure(pairs[start : start + _TOGETHER])
    return pa.array(rows, type=_TYPE)


class Checkpoint:
    """A model and its tokenizer, ready to measure."""

    def __init__(self, folder: str) -> None:
        import torch
        from transformers import AutoModelForSequenceClassification, AutoTokenizer

        try:
            self._tokenizer = AutoTokenizer.from_pretrained(folder, local_files_only=True)
            self._model = AutoModelForSequenceClassification.from_pretrained(
                folder, local_files_only=True
            )
        except Exception as error:  # whatever a broken file makes these libraries raise
            raise CheckpointError(f"TOWBENCH_LEARNED_METRIC: {folder}: {error}") from error
        if self._model.config.num_labels != 1:
            raise CheckpointError(
                f"TOWBENCH_LEARNED_METRIC: {folder} has {self._model.config.num_labels} outputs; "
                "a metric has one (num_labels 1)"
            )
        self._model.eval()
        self._torch = torch
        reads = getattr(self._model.config, "max_position_embeddings", math.inf)
        self._longest = int(min(self._tokenizer.model_max_length, reads))

    def measure(self, pairs: Sequence[Pair]) -> list[dict[str, Any]]:
        """Scores of (reference, text) pairs."""
        references, texts = (list(part) for part in zip(*pairs, strict=True))
        whole = self._tokenizer(references, texts, truncation=False, verbose=False)["input_ids"]
        cut = self._tokenizer(
            references, texts, truncation="longest_first", max_length=self._longest,
            padding=True, return_tensors="pt",
        )  # fmt: skip
        with self._torch.inference_mode():
            scores = self._model(**cut).logits.squeeze(-1).double().tolist()
        return [self._row(score, len(ids)) for score, ids in zip(scores, whole, strict=True)]

    def _row(self, score: float, n_token: int) -> dict[str, Any]:
        if not math.isfinite(score):
            return {"status": "out_of_range", "reason": f"score={score}"}
        cut = f"cut_to_tokens={self._longest}<{n_token}" if n_token > self._longest else None
        return {"score": score, "status": "ok", "reason": cut}


_load = lru_cache(maxsize=1)(Checkpoint)
