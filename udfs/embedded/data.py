"""The data files beside this code; whatever can move a number carries its version in its name."""

import tomllib
from pathlib import Path
from typing import Any


def load(name: str) -> dict[str, Any]:
    """The content of `<name>.toml`."""
    return tomllib.loads(Path(__file__).with_name(f"{name}.toml").read_text("utf-8"))
