"""What the ledger knows of batches: written before they are submitted, read after a restart."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import NamedTuple

import pyarrow as pa

from towbench.udfs.ledger import Intent, LedgerWriter
from towbench.udfs.reply import Form
from towbench.udfs.request import Request

_PENDING = """
SELECT
    request.call_key, request.model, request.prompt_id, request.repeat, request.sampling,
    request.presentation, request.instruction, request.reference, request.text, request.dimensions
FROM pending.request AS request
"""
_OPEN = """
SELECT open_batch.batch_id, open_batch.provider, open_batch.model, open_batch.form,
    open_batch.made_at, open_batch.remote_id
FROM ledger.open_batch AS open_batch
WHERE open_batch.batch_id IN (
    SELECT line.batch_id
    FROM ledger.batch_line AS line
    INNER JOIN wanted ON wanted.call_key = line.call_key
)
ORDER BY open_batch.made_at, open_batch.batch_id
"""
_LINES = """
SELECT
    intent.attempt_id, intent.call_key, intent.run_id, intent.number, intent.sent_at,
    intent.prompt_tokens_bound, intent.completion_tokens_bound, intent.cost_bound,
    request.model, request.prompt_id, request.repeat, request.sampling, request.presentation,
    instruction.text, reference.text, body.text, dimensions.text
FROM ledger.batch_line AS line
INNER JOIN ledger.intent AS intent ON intent.attempt_id = line.attempt_id
INNER JOIN ledger.request AS request ON request.call_key = line.call_key
LEFT JOIN ledger.outcome AS outcome ON outcome.attempt_id = line.attempt_id
LEFT JOIN ledger.text AS instruction ON instruction.hash = request.instruction_hash
LEFT JOIN ledger.text AS reference ON reference.hash = request.reference_hash
LEFT JOIN ledger.text AS body ON body.hash = request.text_hash
LEFT JOIN ledger.text AS dimensions ON dimensions.hash = request.dimensions_hash
WHERE line.batch_id = ? AND outcome.attempt_id IS NULL
ORDER BY line.call_key
"""


class Stored(NamedTuple):
    """A batch whose answers are still to be read; without a remote id it may never have begun."""

    batch_id: str
    provider: str
    model: str
    form: str
    made_at: datetime
    remote_id: str | None


class BatchLedger:
    """Reads and writes the batch tables on a connection of its own."""

    def __init__(self, ledger: LedgerWriter) -> None:
        self._ledger = ledger
        self._cursor = ledger.cursor()

    def pending(self, form: Form) -> list[Request]:
        """Every request of the step that is running."""
        return [Request(form, *row) for row in self._cursor.execute(_PENDING).fetchall()]

    def begin(
        self,
        batch_id: str,
        provider: str,
        model: str,
        form: str,
        made_at: datetime,
        intents: Sequence[Intent],
    ) -> None:
        """Store a batch with its attempts, all or nothing."""
        run_id = intents[0].run_id
        columns = zip(*intents, strict=True)
        table = pa.table([pa.array(column) for column in columns], names=list(Intent._fields))
        self._cursor.register("batch_intent", table)
        self._cursor.begin()
        self._cursor.execute("INSERT INTO ledger.intent BY NAME FROM batch_intent")
        self._cursor.execute(
            "INSERT INTO ledger.batch_line SELECT ?, attempt_id, call_key FROM batch_intent",
            [batch_id],
        )
        self._cursor.execute(
            "INSERT INTO ledger.batch VALUES (?, ?, ?, ?, ?, ?)",
            [batch_id, provider, model, form, run_id, made_at],
        )
        self._cursor.commit()
        self._cursor.unregister("batch_intent")

    def note(self, batch_id: str, event: str, remote_id: str | None) -> None:
        """Store what became of a batch, at once."""
        now = datetime.now(UTC).replace(tzinfo=None)
        self._cursor.execute(
            "INSERT INTO ledger.batch_event VALUES (?, ?, ?, ?)", [batch_id, event, remote_id, now]
        )

    def finish(self, batch_id: str) -> None:
        """Note that a batch was read, once all that was read of it would survive a kill."""
        self._ledger.flush()
        self.note(batch_id, "read", None)

    def abandon(self, batch_id: str) -> None:
        """Note that a batch is not at its provider, once the end of its attempts is stored."""
        self._ledger.flush()
        self.note(batch_id, "never_created", None)

    def open_batches(self, call_keys: Sequence[str]) -> list[Stored]:
        """Batches to be read that hold one of these keys, the oldest first."""
        self._cursor.register("wanted", pa.table({"call_key": pa.array(call_keys, pa.string())}))
        rows = self._cursor.execute(_OPEN).fetchall()
        self._cursor.unregister("wanted")
        return [Stored(str(row[0]), *row[1:]) for row in rows]

    def lines(self, batch_id: str, form: Form) -> list[tuple[Intent, Request]]:
        """The attempts of a batch that have no outcome yet, with their requests."""
        found = []
        for row in self._cursor.execute(_LINES, [batch_id]).fetchall():
            attempt_id, key, run_id, *rest = row[:8]
            intent = Intent(str(attempt_id), key, str(run_id), *rest)
            found.append((intent, Request(form, key, *row[8:])))
        return found
