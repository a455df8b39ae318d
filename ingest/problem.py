"""What an importer tells the user about its files: data, printed by the command."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Problem:
    """Something a user should look at; `line` is 0 when it concerns the whole file."""

    file: str
    line: int
    what: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.what}" if self.line else f"{self.file}: {self.what}"
