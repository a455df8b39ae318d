"""What an importer tells the user about its files: data, printed by the command."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Problem:
    """Something a user should look at; `line` is 0 when it concerns the whole file.

    A note says what is odd about data that went in, or is there already; every other problem is
    about data that was left out.
    """

    file: str
    line: int
    what: str
    is_note: bool = False

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.what}" if self.line else f"{self.file}: {self.what}"
