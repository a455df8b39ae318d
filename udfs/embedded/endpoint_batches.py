"""Files and batches of the fake endpoint, in the form of OpenAI's batch API, held in memory."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from towbench.udfs.embedded.endpoint_faults import Profile
from towbench.udfs.embedded.endpoint_replies import Desk, Reply, error_body

_FINAL = ("completed", "expired", "cancelled", "failed")


@dataclass
class Batches:
    """Files by id and batches by id.

    Args:
        seconds: how long a batch takes; half of that it is `validating`.
        note: called with every reply that a batch line got.
    """

    desk: Desk
    profile: Profile
    seconds: float
    note: Callable[[Reply], None]
    files: dict[str, tuple[str, bytes]] = field(default_factory=dict)
    _batches: dict[str, dict[str, Any]] = field(default_factory=dict)
    _due: dict[str, float] = field(default_factory=dict)

    def store(self, name: str, purpose: str, content: bytes) -> dict[str, Any]:
        """Store a file; its description."""
        file_id = f"file-{len(self.files) + 1:06d}"
        self.files[file_id] = (name, content)
        return {
            "id": file_id,
            "object": "file",
            "bytes": len(content),
            "created_at": int(time.time()),
            "filename": name,
            "purpose": purpose,
            "status": "processed",
        }

    def create(self, asked: dict[str, Any]) -> dict[str, Any] | None:
        """Start a batch over an uploaded file; None if there is no such file."""
        input_id = str(asked.get("input_file_id"))
        if input_id not in self.files:
            return None
        now = int(time.time())
        batch_id = f"batch_{len(self._batches) + 1:06d}"
        n_line = len(self._lines(input_id))
        self._batches[batch_id] = {
            "id": batch_id,
            "object": "batch",
            "endpoint": asked.get("endpoint", "/v1/chat/completions"),
            "input_file_id": input_id,
            "completion_window": asked.get("completion_window", "24h"),
            "status": "validating",
            "created_at": now,
            "expires_at": now + 86_400,
            "output_file_id": None,
            "error_file_id": None,
            "errors": None,
            "request_counts": {"total": n_line, "completed": 0, "failed": 0},
            "metadata": asked.get("metadata"),
        }
        self._due[batch_id] = time.monotonic() + self.seconds
        return self._batches[batch_id]

    def poll(self, batch_id: str) -> dict[str, Any] | None:
        """A batch as it stands now; its work is done when its time has come."""
        batch = self._batches.get(batch_id)
        if batch is None:
            return None
        if batch["status"] not in _FINAL:
            left = self._due[batch_id] - time.monotonic()
            batch["status"] = "validating" if left > self.seconds / 2 else "in_progress"
            if left <= 0:
                self._finish(batch)
        return batch

    def all(self) -> list[dict[str, Any]]:
        """Every batch as it stands now, the newest first."""
        return [batch for one in reversed(self._batches) if (batch := self.poll(one))]

    def cancel(self, batch_id: str) -> dict[str, Any] | None:
        """Cancel a batch that is not done."""
        batch = self.poll(batch_id)
        if batch and batch["status"] not in _FINAL:
            batch["status"] = "cancelled"
        return batch

    def _lines(self, file_id: str) -> list[bytes]:
        return [line for line in self.files[file_id][1].splitlines() if line.strip()]

    def _finish(self, batch: dict[str, Any]) -> None:
        lines = self._lines(batch["input_file_id"])
        whom = self.files[batch["input_file_id"]][1].hex()[:200] + batch["id"]
        is_expired = self.profile.befalls("batch_expired", whom)
        is_partial = self.profile.befalls("batch_partial", whom)
        n_done = len(lines) // 2 if is_expired else len(lines)
        if is_partial:
            lines = [line for place, line in enumerate(lines) if place % 5 != 4]
        results = list(self._results(lines, n_done))
        output = [line for line, is_good in results if is_good]
        errors = [line for line, is_good in results if not is_good]
        for kind, found in (("output", output), ("error", errors)):
            if found:
                content = "\n".join(found).encode() + b"\n"
                stored = self.store(f"{batch['id']}_{kind}.jsonl", "batch_output", content)
                batch[f"{kind}_file_id"] = stored["id"]
        counts = {"completed": len(output), "failed": len(errors)}
        batch["request_counts"] |= counts
        batch["status"] = "expired" if is_expired else "completed"

    def _results(self, lines: list[bytes], n_done: int) -> Iterator[tuple[str, bool]]:
        """Lines of the output and error files, with whether they are of the former.

        Faults that only a connection can have leave a line out of both files.
        """
        for place, line in enumerate(lines):
            asked = json.loads(line)
            if place >= n_done:
                expired = {"code": "batch_expired", "message": "not done within the window"}
                yield _line(place, asked["custom_id"], None, expired), False
                continue
            reply = self.desk.answer(asked["body"])
            if reply.fault.where == "connection":
                continue
            self.note(reply)
            text = reply.body or error_body("no reply", "server_error")
            try:
                body = json.loads(text)
            except ValueError:
                body = json.loads(error_body("bad gateway", "server_error"))
            response = {"status_code": reply.status, "request_id": f"req_{place}", "body": body}
            yield _line(place, asked["custom_id"], response, None), reply.status == 200


def _line(
    place: int, custom_id: str, response: dict[str, Any] | None, error: dict[str, str] | None
) -> str:
    return json.dumps(
        {
            "id": f"batch_req_{place}",
            "custom_id": custom_id,
            "response": response,
            "error": error,
        }
    )
