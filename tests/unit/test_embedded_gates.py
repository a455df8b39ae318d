"""Gates: 1 when sound, the floor when bad, linear between."""

import pytest

from towbench.udfs.embedded.gates import GATES, Gate, gate_factors


def test_linear_between_good_and_bad() -> None:
    gate = Gate("g", "x", 0.2, 0.6, 0.5)
    assert [gate.factor({"x": x}) for x in (0.0, 0.2, 0.4, 0.6, 9.0)] == pytest.approx(
        [1, 1, 0.75, 0.5, 0.5]
    )
    falling = Gate("g", "x", 1.0, 0.0, 0.5)
    assert falling.factor({"x": 0.5}) == pytest.approx(0.75)


def test_an_absent_statistic_closes_nothing() -> None:
    assert gate_factors({}) == {}


def test_gates_have_names_and_floors() -> None:
    assert len({gate.name for gate in GATES}) == len(GATES)
    assert all(0 < gate.floor < 1 and gate.good != gate.bad for gate in GATES)
