"""Serves the sample sites over real HTTP on loopback, one port a site."""

import gzip
import sys
from collections.abc import Iterator, Mapping, MutableSequence
from contextlib import ExitStack, contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

from towbench.spiders.sites.render import Answer, Site, sample_sites

NOT_FOUND = Answer(b"<html><body>404 Not Found</body></html>", "text/html", status=404)


class Server(ThreadingHTTPServer):
    """One site; `log` gets the path of every request."""

    def __init__(self, site: Site, log: MutableSequence[str]) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.site = site
        self.log = log

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Says nothing of a crawler that was killed in mid-request."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)


class Handler(BaseHTTPRequestHandler):
    server: Server
    protocol_version = "HTTP/1.1"
    wbufsize = (
        -1
    )  # head and body in one packet: a second small write would wait for the client's delayed ACK

    def do_GET(self) -> None:
        self.server.log.append(self.path)
        answer = self.server.site.get(self.path, NOT_FOUND)
        body = answer.body
        self.send_response(answer.status)
        self.send_header("Content-Type", answer.content_type)
        if answer.location is not None:
            self.send_header("Location", answer.location)
        if answer.compressed and "gzip" in self.headers.get("Accept-Encoding", ""):
            body = gzip.compress(body)
            self.send_header("Content-Encoding", "gzip")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Keeps the terminal quiet."""


@contextmanager
def serve(
    sites: Mapping[str, Site], log: Mapping[str, MutableSequence[str]] | None = None
) -> Iterator[dict[str, str]]:
    """Serves `sites` while the context is open; yields their base addresses by source name.

    Args:
        log: Where to note the requested paths, by source name.
    """
    with ExitStack() as stack:
        addresses = {}
        for source, site in sites.items():
            server = stack.enter_context(Server(site, [] if log is None else log[source]))
            Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
            stack.callback(server.shutdown)
            addresses[source] = f"http://127.0.0.1:{server.server_address[1]}"
        yield addresses


@contextmanager
def sample_server() -> Iterator[dict[str, str]]:
    """Serves the bundled sample sites; yields their base addresses by source name."""
    with serve(sample_sites()) as addresses:
        yield addresses
