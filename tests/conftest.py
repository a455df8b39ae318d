"""What every test shares: no settings of the caller, no network but loopback."""

from __future__ import annotations

import os

import pytest
from hypothesis import settings

# The same examples in every run: a red test stays red until it is mended.
settings.register_profile("steady", derandomize=True, deadline=None)
settings.load_profile("steady")


@pytest.fixture(autouse=True)
def _no_settings_from_outside(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in os.environ:
        if name.startswith("TOWBENCH_"):
            monkeypatch.delenv(name)
