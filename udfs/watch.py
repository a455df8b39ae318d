"""Answers of an endpoint that show a fault of the settings: the run stops and names the setting."""

from __future__ import annotations

from collections.abc import Callable

from towbench.udfs.dialect import UNFIT
from towbench.udfs.response import FREE, Response, error_code

NO_MONEY = {"insufficient_quota", "billing_hard_limit_reached", "insufficient_balance"}
_NO_COMPLETION = {"dropped", "error_in_200"}
"""Attempts answered with a 200 and yet with no completion end so."""
_TRIES_TO_REACH = 3
_REFUSALS_TO_STOP = 20
_ROUNDS_TO_STOP = 16


def setting_names(alias: str, setting: str) -> str:
    """The variables that hold a setting of a provider."""
    return f"TOWBENCH_{alias.upper().replace('-', '_')}_{setting} or TOWBENCH_{setting}"


class Watch:
    """Watches one endpoint.

    Args:
        alias: the provider.
        host: where it is, as messages may show it (a base URL may hold a password).
        concurrency: requests that may fail together for one reason.
        naming: tells which settings name a model.
    """

    def __init__(
        self, alias: str, host: str, concurrency: int, naming: Callable[[str], str]
    ) -> None:
        self._where = f"{alias} at {host}"
        self._key_setting = setting_names(alias, "API_KEY")
        self._url_setting = setting_names(alias, "BASE_URL")
        self._width_setting = setting_names(alias, "CONCURRENCY")
        self._concurrency = concurrency
        self._naming = naming
        self._answers = self._accepted = self._unreached = self._refused = self._failed = 0

    def fault(self, model: str, response: Response) -> str | None:
        """Why the run must stop after this attempt; None while it may go on."""
        status = response.http_status
        is_accepted = status == 200 and response.status not in _NO_COMPLETION
        if not is_accepted and status not in UNFIT:
            self._failed += 1
        if status is None:
            return self._absence(response) or self._outage(response)
        self._answers += 1
        if is_accepted:
            self._accepted += 1
            self._failed = 0
            if response.status == "ok":
                return None
        code = error_code(response.body or "")
        said = f"{status}: {response.error}"
        if status in (401, 403):
            return f"{self._key_setting}: {self._where} refuses the key ({said})"
        if status == 404 or code == "model_not_found":
            return (
                f"{self._url_setting}, or {self._naming(model)}: "
                f"{self._where} knows no such address or model ({said})"
            )
        if status == 402 or code in NO_MONEY:
            return f"{self._key_setting}: the quota at {self._where} is used up ({said})"
        return self._outage(response)

    @property
    def failed_rounds(self) -> int:
        """How often, since the last accepted request, all that fit in flight together failed."""
        return self._failed // self._concurrency

    def refusal(self, model: str, response: Response) -> str | None:
        """Note a request that ended in a 400 or 422; why the run must stop if all have so far."""
        self._refused += 1
        if self._refused < _REFUSALS_TO_STOP or self._accepted:
            return None
        return (
            f"{self._naming(model)}, or its sampling: the first {self._refused} "
            f"requests to {self._where} were all refused ({response.http_status}: {response.error})"
        )

    def _outage(self, response: Response) -> str | None:
        """Nothing but failures for rounds on end, with longer and longer pauses: a person's turn.

        What was not sent is asked by the next run.
        """
        # A web page with a 200, and never anything else, is an address without an API.
        is_foreign = response.http_status == 200 and not self._accepted
        rounds = 0 if is_foreign else _ROUNDS_TO_STOP * self._concurrency
        if self._failed < max(_REFUSALS_TO_STOP, rounds):
            return None
        setting = self._width_setting if response.http_status == 429 else self._url_setting
        return (
            f"{setting}: the last {self._failed} requests to {self._where} came to nothing "
            f"({response.status}: {response.error})"
        )

    def _absence(self, response: Response) -> str | None:
        """Nobody there, again and again, and never anyone before: the address is wrong."""
        self._unreached += response.usage == FREE
        if self._answers or self._unreached < _TRIES_TO_REACH:
            return None
        return f"{self._url_setting}: {self._where} cannot be reached ({response.error})"
