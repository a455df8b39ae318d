"""The batch half of the client: files and batches of an OpenAI-compatible endpoint."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any, NamedTuple

import httpx2
import openai

from towbench.schemas.settings import Provider
from towbench.udfs.client import reached
from towbench.udfs.loose_json import without_surrogates
from towbench.udfs.response import error_code, error_message
from towbench.udfs.watch import NO_MONEY, Watch, setting_names

# What the endpoints take at most; a little less leaves room for what they count differently.
MOST_LINES = 50_000
MOST_BYTES = 190_000_000

_MARK = "towbench_batch"
_LOOK_BACK = 100


class Refused(Exception):
    """The endpoint will not have it, whoever asks again: one message for the user."""


class Unreachable(Exception):
    """No answer, or one that another try may better."""


class Unknown(Exception):
    """The endpoint knows no such batch."""


class State(NamedTuple):
    """How a batch stands; `error` in the endpoint's own words."""

    status: str
    files: tuple[str, ...]
    error: str | None


class BatchApi:
    """Submits, polls and reads batches of one provider.

    Attributes:
        watch: told of every answered line, finds faults of the settings among them.

    Raises:
        ValueError: the provider's settings cannot be right; the message names the setting.
    """

    def __init__(self, provider: Provider, timeout: float, naming: Callable[[str], str]) -> None:
        url, key = reached(provider)
        self._key_in_text = re.compile(rf"(?<!\w){re.escape(key)}(?!\w)")
        self._alias = provider.alias
        self._api = openai.OpenAI(api_key=key, base_url=url, max_retries=0, timeout=timeout)
        self.watch = Watch(provider.alias, self._api.base_url.host, MOST_LINES, naming)
        self._has_answered = False

    def close(self) -> None:
        """Close the connections."""
        self._api.close()

    def submit(self, lines: bytes, path: str, batch_id: str) -> str:
        """Upload the lines and start a batch that carries our id; the endpoint's id of it."""
        upload = [("file", (f"{batch_id}.jsonl", lines))]
        file = self._call("POST", "/files", body={"purpose": "batch"}, files=upload)
        asked = {
            "input_file_id": _id_of(file, "/files"),
            "endpoint": f"/v1{path}",
            "completion_window": "24h",
            "metadata": {_MARK: batch_id},
        }
        return _id_of(self._call("POST", "/batches", body=asked), "/batches")

    def find(self, batch_id: str) -> str | None:
        """The endpoint's id of the batch with our id, if it was created at all."""
        query = f"/batches?limit={_LOOK_BACK}"
        while True:
            page = self._call("GET", query)
            batches = [one for one in _objects(page.get("data")) if "id" in one]
            for one in batches:
                metadata = one.get("metadata")
                if isinstance(metadata, dict) and metadata.get(_MARK) == batch_id:
                    return _id_of(one, "/batches")
            if not (page.get("has_more") and batches):
                return None
            after = f"/batches?limit={_LOOK_BACK}&after={batches[-1]['id']}"
            if after == query:
                return None
            query = after

    def poll(self, remote_id: str) -> State:
        """How a batch stands."""
        batch = self._call("GET", f"/batches/{remote_id}")
        names = (batch.get("output_file_id"), batch.get("error_file_id"))
        errors = batch.get("errors")
        faults = _objects(errors.get("data") if isinstance(errors, dict) else None)
        error = "; ".join(str(one.get("message")) for one in faults)
        told = without_surrogates(error) or None
        return State(str(batch.get("status")), tuple(str(n) for n in names if n), told)

    def read(self, file_id: str) -> list[dict[str, Any]]:
        """The lines of a result file that are JSON objects."""
        text = self._text("GET", f"/files/{file_id}/content")
        lines = []
        # Not splitlines(): an essay inside a JSON string may hold U+2028.
        for line in text.split("\n"):
            try:
                value = json.loads(line)
            except (ValueError, RecursionError):
                continue
            if isinstance(value, dict):
                lines.append(value)
        return lines

    def _call(self, method: str, path: str, **sent: Any) -> dict[str, Any]:
        try:
            found = json.loads(self._text(method, path, **sent))
        except ValueError:
            found = None
        if not isinstance(found, dict):
            raise self._silence(f"does not answer as an API: {path} is no JSON object")
        self._has_answered = True
        return found

    def _silence(self, why: str) -> Exception:
        """Nobody there: for now, or, where nobody ever was, at a wrong address."""
        said = f"{setting_names(self._alias, 'BASE_URL')}: {self._alias} {why}"
        return Unreachable(said) if self._has_answered else Refused(said)

    def _text(self, method: str, path: str, **sent: Any) -> str:
        try:
            if method == "GET":
                answered = self._api.get(path, cast_to=httpx2.Response)
            elif "files" in sent:
                answered = self._api.post(
                    path, cast_to=httpx2.Response, body=sent["body"], files=sent["files"],
                    options={"headers": {"Content-Type": "multipart/form-data"}},
                )  # fmt: skip
            else:
                answered = self._api.post(path, cast_to=httpx2.Response, body=sent["body"])
        except openai.APIStatusError as error:
            raise self._fault(error) from None
        except openai.APIConnectionError as error:
            cause = self._redact(str(error.__cause__ or error))
            raise self._silence(f"cannot be reached ({cause})") from None
        text: str = answered.content.decode("utf-8", "replace")
        return self._redact(text)

    def _fault(self, error: openai.APIStatusError) -> Exception:
        code = error.response.status_code
        said = f"{code}: {self._redact(error_message(error.response.text))}"
        if code in (401, 403):
            key = setting_names(self._alias, "API_KEY")
            return Refused(f"{key}: {self._alias} refuses the key ({said})")
        if code == 402 or error_code(error.response.text) in NO_MONEY:
            key = setting_names(self._alias, "API_KEY")
            return Refused(f"{key}: the quota at {self._alias} is used up ({said})")
        if code == 404 and error.request.method == "GET":
            return Unknown(said)
        if code in (408, 409, 425, 429) or code >= 500:
            return Unreachable(f"{self._alias}: {said}")
        url = setting_names(self._alias, "BASE_URL")
        return Refused(f"{url}, or TRANSPORT=batch: {self._alias} takes no batch ({said})")

    def _redact(self, text: str) -> str:
        return self._key_in_text.sub("***", text)


def _objects(value: object) -> list[dict[str, Any]]:
    """The objects of what should be a list of them."""
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []


def _id_of(answer: dict[str, Any], path: str) -> str:
    found = answer.get("id")
    if not (isinstance(found, str) and found):
        raise Unreachable(f"{path}: the answer names no id")
    return found
