"""The SQL functions of the package on a connection.

A call function is a module with what `reply.Form` asks for, listed in `calls.py`. Any other
function is a module with NAME, PARAMETERS, RETURNS (DuckDB types) and `run(*columns) -> array`,
listed in PURE.
"""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType

import duckdb
import pyarrow as pa
from duckdb.func import ARROW, SPECIAL

from towbench.udfs import (
    compare_texts,
    extract_page,
    judge_format,
    mark_text,
    measure_learned,
    measure_overlap,
    measure_similarity,
    perturb_text,
    read_reply,
    sketch_text,
    split_pieces,
)
from towbench.udfs.calls import CALLS
from towbench.udfs.engine import Engine
from towbench.udfs.reply import Form
from towbench.udfs.request import Answer, Request

PURE: tuple[ModuleType, ...] = (
    extract_page,
    split_pieces,
    sketch_text,
    compare_texts,
    judge_format,
    mark_text,
    perturb_text,
    measure_overlap,
    measure_similarity,
    measure_learned,
    read_reply,
)

_REQUEST = ["VARCHAR", "VARCHAR", "VARCHAR", "INTEGER"] + ["VARCHAR"] * 6
_ANSWER = "STRUCT(" + ", ".join(f"{name} VARCHAR" for name in Answer._fields) + ")"

Columns = Callable[..., pa.Array]


def register(con: duckdb.DuckDBPyConnection, engine: Engine) -> None:
    """Create every function on `con`; those that call models do so through `engine`."""
    for form in CALLS:
        _create(con, form.NAME, _call(form, engine), _REQUEST, _ANSWER)
    for module in PURE:
        _create(con, module.NAME, module.run, module.PARAMETERS, module.RETURNS)


def _create(
    con: duckdb.DuckDBPyConnection, name: str, run: Columns, parameters: list[str], returns: str
) -> None:
    # Side effects: called once for every row where written, never at plan time (facts 2).
    con.create_function(
        name,
        run,
        list(parameters),
        returns,
        type=ARROW,
        null_handling=SPECIAL,
        side_effects=True,
    )


def _call(form: Form, engine: Engine) -> Columns:
    def run(
        call_key: pa.ChunkedArray,
        model: pa.ChunkedArray,
        prompt_id: pa.ChunkedArray,
        repeat: pa.ChunkedArray,
        sampling: pa.ChunkedArray,
        presentation: pa.ChunkedArray,
        instruction: pa.ChunkedArray,
        reference: pa.ChunkedArray,
        text: pa.ChunkedArray,
        dimensions: pa.ChunkedArray,
    ) -> pa.Array:
        columns = (
            call_key, model, prompt_id, repeat, sampling, presentation,
            instruction, reference, text, dimensions,
        )  # fmt: skip
        rows = zip(*(column.to_pylist() for column in columns), strict=True)
        answers = engine.answer([Request(form, *row) for row in rows])
        fields = [pa.array(values, pa.string()) for values in zip(*answers, strict=True)]
        return pa.StructArray.from_arrays(fields, names=list(Answer._fields))

    return run
