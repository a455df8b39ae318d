"""What every test shares: no settings of the caller, no network but loopback."""

from __future__ import annotations

import os

import pytest


@pytest.fixture(autouse=True)
def _no_settings_from_outside(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in os.environ:
        if name.startswith("TOWBENCH_"):
            monkeypatch.delenv(name)
