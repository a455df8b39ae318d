"""The kinds of error that a user can mend; everything else is a bug and keeps its traceback."""


class DataError(Exception):
    """Something in the data or the files is wrong: exit code 1. Says what, where, what to do."""


class UsageError(Exception):
    """A setting or an argument cannot be right: exit code 2."""


class BudgetStopped(Exception):
    """The budget is used up: exit code 3. Says what was spent and how to go on."""
