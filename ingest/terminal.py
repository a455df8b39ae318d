"""What all commands share: two consoles, exit codes and the settings as given."""

from __future__ import annotations

import sys

from pydantic import ValidationError
from rich.console import Console

from towbench.schemas.errors import UsageError
from towbench.schemas.settings import Settings, unknown_variables

DATA_PROBLEM, USAGE, BUDGET_STOPPED = 1, 2, 3
"""Exit codes beside 0 (DESIGN 6)."""

# What goes to a file or a pipe is for programs too: no table is cut to a width there.
out = Console(soft_wrap=True, width=None if sys.stdout.isatty() else 10_000)
err = Console(stderr=True, soft_wrap=True)


def read_settings() -> Settings:
    """The settings as given.

    Raises:
        UsageError: a variable is no setting, or its value cannot be right; which.
    """
    if faults := unknown_variables():
        raise UsageError("; ".join(faults))
    try:
        return Settings()
    except ValidationError as error:
        faults = [
            f"TOWBENCH_{'_'.join(map(str, fault['loc'])).upper()}: {fault['msg']}"
            for fault in error.errors(include_input=False)
        ]
        raise UsageError("; ".join(faults)) from None
