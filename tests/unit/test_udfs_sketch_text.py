"""MinHash sketches: deterministic, blind to layout, close for near copies only."""

import random
from typing import Any

import duckdb
import pyarrow as pa
from duckdb.func import ARROW, SPECIAL

from towbench.udfs import sketch_text
from towbench.udfs.sketch_text import BANDS, PERMUTATIONS


def sketch(*texts: str | None) -> list[dict[str, Any] | None]:
    column = pa.chunked_array([pa.array(texts, pa.string())])
    rows: list[dict[str, Any] | None] = sketch_text.run(column).to_pylist()
    return rows


def random_text(seed: int, length: int = 1200) -> str:
    draw = random.Random(seed)
    return "".join(chr(0x4E00 + draw.randrange(3000)) for _ in range(length))


def agreement(a: dict[str, Any], b: dict[str, Any]) -> float:
    pairs = zip(a["signature"], b["signature"], strict=True)
    return sum(int(x == y) for x, y in pairs) / PERMUTATIONS


def test_shape_and_determinism() -> None:
    first, second = sketch(random_text(1), random_text(2))
    assert first is not None and second is not None
    assert (len(first["signature"]), len(first["bands"])) == (PERMUTATIONS, BANDS)
    assert sketch(random_text(2), None, random_text(1)) == [second, None, first]
    # Pinned: a stored sketch must stay comparable with one made today.
    [pinned] = sketch("河水在夜里涨了三寸")
    assert pinned is not None
    assert pinned["signature"][:3] == [3328433585, 3804779849, 3263367463]
    assert pinned["bands"][:2] == [13565733501953959700, 3177942115591772199]


def test_layout_and_punctuation_do_not_matter() -> None:
    a, b, c = sketch(
        "河水，在夜里：涨了三寸。The river",
        "河水在夜里\n\n　　涨了三寸the RIVER",
        "河水在夜里落了三寸",
    )
    assert a == b != c


def test_texts_without_letters_have_no_sketch() -> None:
    assert sketch(None, "", " ，。\n") == [None] * 3
    assert sketch("a", "ab", "河水在夜", "河水在夜里").count(None) == 0
    assert sketch_text.run(pa.chunked_array([], pa.string())).to_pylist() == []


def test_near_copies_share_a_band_and_others_do_not() -> None:
    draw = random.Random(0)
    found = wrong = 0
    for seed in range(60):
        text = random_text(seed)
        copy = "".join(
            chr(0x4E00 + draw.randrange(3000)) if draw.random() < 0.02 else char for char in text
        )
        a, b, other = sketch(text, copy, random_text(seed + 1000))
        assert a is not None and b is not None and other is not None
        found += bool(set(a["bands"]) & set(b["bands"])) and agreement(a, b) >= 0.6
        wrong += bool(set(a["bands"]) & set(other["bands"])) or agreement(a, other) >= 0.3
    assert (found, wrong) == (60, 0)


def test_it_runs_in_duckdb() -> None:
    con = duckdb.connect()
    con.create_function(
        sketch_text.NAME, sketch_text.run, list(sketch_text.PARAMETERS), sketch_text.RETURNS,
        type=ARROW, null_handling=SPECIAL, side_effects=True,
    )  # fmt: skip
    con.execute("CREATE TABLE t AS SELECT unnest(['河水在夜里涨了三寸', NULL]) AS x")
    rows = con.execute(
        "SELECT len(s.signature), len(s.bands), typeof(s) FROM (SELECT sketch_text(x) AS s FROM t) ORDER BY 1"
    ).fetchall()
    shape = "STRUCT(signature UINTEGER[], bands UBIGINT[])"
    assert rows == [(PERMUTATIONS, BANDS, shape), (None, None, shape)]
