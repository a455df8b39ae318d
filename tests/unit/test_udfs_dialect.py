"""cases A 10: which structured output a model takes."""

import asyncio
import time

from towbench.udfs.dialect import Dialect, response_format


def test_forms_are_tried_from_the_best_down() -> None:
    dialect = Dialect()
    assert dialect.form(frozenset()) == "json_schema"
    assert dialect.form(frozenset({"json_schema"})) == "json_object"
    assert dialect.form(frozenset({"json_schema", "json_object"})) == "text"
    assert dialect.form(frozenset({"json_schema", "json_object", "text"})) is None


def test_the_form_that_was_accepted_is_remembered() -> None:
    dialect = Dialect()
    dialect.settle("json_object")
    dialect.settle("text")
    assert dialect.form(frozenset()) == "json_object"
    assert dialect.form(frozenset({"json_object"})) is None


def test_others_wait_for_the_first_but_not_for_long() -> None:
    async def scene(settles: bool) -> float:
        dialect = Dialect()
        await dialect.probe()
        started = time.monotonic()
        if settles:
            asyncio.get_running_loop().call_later(0.1, dialect.settle, "text")
        await asyncio.gather(*(dialect.probe() for _ in range(5)))
        await dialect.probe()
        return time.monotonic() - started

    assert 0.09 < asyncio.run(scene(settles=True)) < 0.9
    assert 0.9 < asyncio.run(scene(settles=False)) < 1.9


def test_the_schema_that_is_sent_is_the_declared_one() -> None:
    sent = response_format("json_schema", "leaf_score_v1")
    assert sent is not None
    assert sent["json_schema"]["schema"]["required"] == ["reason", "score"]
    assert response_format("json_object", "leaf_score_v1") == {"type": "json_object"}
    assert response_format("text", "leaf_score_v1") is None
