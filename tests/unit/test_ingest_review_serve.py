"""The web form for reviewers: on loopback, with a token, everything escaped."""

from __future__ import annotations

import http.client
import re
import threading
from collections.abc import Iterator
from urllib.parse import urlencode

import pytest

from towbench.ingest.review import Entry, Task
from towbench.ingest.review_serve import MAX_BODY, ReviewServer

EVIL = "</pre><script>alert('x')</script>&\"'"
TASK: Task = {
    "benchmark": "b", "round": "1", "item_id": "i1", "task": "open", "genre": "prose",
    "lang": "zh", "marks": EVIL, "instruction": EVIL, "grounding": "", "reference": "原文",
}  # fmt: skip


class Client:
    def __init__(self, server: ReviewServer, taken: list[Entry]) -> None:
        self.server, self.taken = server, taken

    def ask(
        self, method: str, path: str, body: str | None = None, **headers: str
    ) -> tuple[int, dict[str, str], str]:
        con = http.client.HTTPConnection("127.0.0.1", self.server.server_port, timeout=10)
        given = {name.replace("_", "-"): value for name, value in headers.items()}
        con.request(method, path, body, given)
        answer = con.getresponse()
        text = answer.read().decode("utf-8")
        con.close()
        return answer.status, dict(answer.getheaders()), text

    def send(self, **fields: str) -> tuple[int, dict[str, str], str]:
        return self.ask("POST", "/", urlencode({"token": self.server.token, "n": "0"} | fields))


@pytest.fixture
def client() -> Iterator[Client]:
    taken: list[Entry] = []

    def submit(entry: Entry) -> str:
        if entry.values["decision"] == "reject" and not entry.values["reason"]:
            return f"no reason {EVIL}"
        taken.append(entry)
        return ""

    with ReviewServer("items", [TASK, TASK | {"item_id": "i2"}], submit) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield Client(server, taken)
        finally:
            server.shutdown()
            thread.join()


def test_it_listens_on_loopback_only(client: Client) -> None:
    assert client.server.server_address[0] == "127.0.0.1"


def test_a_page_is_escaped_and_needs_nothing_from_elsewhere(client: Client) -> None:
    status, headers, text = client.ask("GET", "/?n=0&reviewer=%22%3E%3Cscript%3E")
    assert status == 200
    assert "<script" not in text
    assert text.count("&lt;script&gt;") >= 3
    assert not re.search(r"(?:src|href)='?\"?(?:https?:)?//", text)
    policy = headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy and "frame-ancestors 'none'" in policy
    assert client.ask("GET", "/?n=1")[2].count("i2") == 1
    assert "Done" in client.ask("GET", "/?n=99")[2]
    assert client.ask("GET", "/etc/passwd")[0] == 404


def test_an_answer_is_imported_and_leads_to_the_next_task(client: Client) -> None:
    status, headers, _ = client.send(reviewer="王 一", decision="accept", comment="好")
    assert (status, headers["Location"]) == (303, "/?n=1&reviewer=%E7%8E%8B%20%E4%B8%80")
    (entry,) = client.taken
    assert entry.values["reviewer"] == "王 一"
    assert {name: entry.values[name] for name in TASK} == TASK
    assert (entry.file, entry.row) == ("web form", 1)


def test_a_refused_answer_is_shown_with_what_was_written(client: Client) -> None:
    status, _, text = client.send(reviewer="王", decision="reject", comment=f"长评{EVIL}")
    assert status == 200
    assert "no reason &lt;/pre&gt;" in text and "长评&lt;/pre&gt;" in text
    assert "<option selected>reject</option>" in text
    assert client.taken == []


def test_a_form_cannot_change_what_is_shown(client: Client) -> None:
    client.send(reviewer="王", decision="accept", instruction="other", item_id="i9")
    assert client.taken[0].values["item_id"] == "i1"


@pytest.mark.parametrize("token", ["", "guess", "ü"])
def test_a_form_without_the_token_is_refused(client: Client, token: str) -> None:
    assert client.send(token=token, reviewer="王", decision="accept")[0] == 403
    assert client.taken == []


def test_other_hosts_and_origins_are_refused(client: Client) -> None:
    body = urlencode({"token": client.server.token, "n": "0", "decision": "accept"})
    assert client.ask("GET", "/", Host="evil.invalid")[0] == 403
    assert client.ask("POST", "/", body, Origin="http://evil.invalid")[0] == 403
    assert client.ask("POST", "/", body, Origin="null")[0] == 403
    assert client.taken == []
    assert client.ask("POST", "/", body, Origin=client.server.url.rstrip("/"))[0] == 303


def test_oversized_and_broken_forms_are_refused(client: Client) -> None:
    assert client.ask("POST", "/", "x", Content_Length=str(MAX_BODY + 1))[0] == 413
    assert client.ask("POST", "/", "a=" + "&b=" * 100)[0] == 400
    assert client.send(n="7", decision="accept")[0] == 400
    assert client.ask("GET", "/")[0] == 200
