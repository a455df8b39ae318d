"""Prices: of the day, of the model, of the user before ours; an unknown one is said to be so."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from towbench.schemas.errors import UsageError
from towbench.schemas.prices import Price, Prices, parse_prices

HEAD = "model,since,input,output,cached_input,batch_factor\n"
LATE = date(2026, 6, 1)


def prices(rows: str) -> Prices:
    return Prices(parse_prices(HEAD + rows, "prices.csv"))


def test_the_price_is_that_of_the_day() -> None:
    found = prices("a/x,2026-01-01,1,2,,\na/x,2026-03-01,3,4,,\n")
    assert found.find("a/x", date(2025, 12, 31)) is None
    assert [p.input for d in (1, 28) if (p := found.find("a/x", date(2026, 2, d)))] == [1.0, 1.0]
    latest = found.find("a/x", LATE)
    assert latest and (latest.input, latest.output) == (3, 4)


def test_a_model_comes_before_a_prefix_and_the_longest_prefix_first() -> None:
    found = prices("a/*,2020-01-01,1,1,,\na/big-*,2020-01-01,2,2,,\na/big-1,2020-01-01,3,3,,\n")
    names = {m: found.find(m, LATE) for m in ("a/small", "a/big-2", "a/big-1", "b/x")}
    assert {m: p and p.input for m, p in names.items()} == {
        "a/small": 1, "a/big-2": 2, "a/big-1": 3, "b/x": None,
    }  # fmt: skip


def test_discounts_hold_where_they_are_known() -> None:
    price = Price("a/x", LATE, input=10, output=30, cached_input=1, batch_factor=0.5)
    assert price.cost(1_000_000, 100_000) == pytest.approx(13)
    assert price.cost(1_000_000, 0, cached=400_000) == pytest.approx(6.4)
    assert price.cost(1_000_000, 100_000, is_batch=True) == pytest.approx(6.5)
    plain = Price("a/x", LATE, input=10, output=30)
    assert plain.cost(1_000_000, 0, cached=400_000, is_batch=True) == pytest.approx(10)


def test_a_file_of_the_user_replaces_our_rows_of_a_model(tmp_path: Path) -> None:
    own = tmp_path / "mine.csv"
    own.write_text(
        "model,since,input,output\nopenai/gpt-4o,2020-01-01,7,8\nlocal/*,2020-01-01,0,0\n"
    )
    found = Prices.load(own)
    ours, local, other = (found.find(m, LATE) for m in ("openai/gpt-4o", "local/q", "openai/gpt-5"))
    assert ours and ours.input == 7
    assert local and local.cost(10**6, 10**6) == 0
    assert other and other.input == 1.25
    assert len(found.table()) == len({(row["model"], row["since"]) for row in found.table()})


def test_a_prices_file_in_the_folder_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert Prices.load(None).find("local/q", LATE) is None
    (tmp_path / "prices.csv").write_text("model,since,input,output\nlocal/q,2020-01-01,5,5\n")
    assert Prices.load(None).find("local/q", LATE) is not None


@pytest.mark.parametrize(
    ("rows", "says"),
    [
        ("a/x,2026-01-01,-1,2,,\n", "line 2: a price is a number"),
        ("a/x,2026-01-01,nan,2,,\n", "line 2: a price is a number"),
        ("a/x,2026-01-01,,2,,\n", "line 2: a price is a number"),
        ("a/x,soon,1,2,,\n", "line 2: Invalid isoformat"),
        ("x,2026-01-01,1,2,,\n", "line 2: a model is named provider/model"),
        ("a/x,2026-01-01,1,5,2,,0,5\n", "line 2: more values than columns"),
        ("a/x,2026-01-01,1,2,,50\n", "line 2: a batch factor is a share"),
        ("a/x,2026-01-01,1,2,,\na/x,2026-01-01,1,3,,\n", "line 3: a/x from 2026-01-01 comes twice"),
    ],
)
def test_a_row_that_is_no_price_is_named(rows: str, says: str) -> None:
    with pytest.raises(UsageError, match=says):
        prices(rows)


def test_every_shipped_price_says_where_and_when_it_was_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    rows = [row for row in Prices.load(None).rows if not row.model.startswith("embedded/")]
    assert len(rows) > 5
    for row in rows:
        source, _, read_on = str(row.source).rpartition("read ")
        assert source and row.since <= date.fromisoformat(read_on), row.model


def test_a_missing_file_or_column_is_named(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="TOWBENCH_PRICES"):
        Prices.load(tmp_path / "no.csv")
    with pytest.raises(UsageError, match="no column 'output'"):
        parse_prices("model,since,input\na/x,2026-01-01,1\n", "p.csv")
