"""A program on this machine that receives webhooks, and checks their signatures as docs/streams.md says."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

DOCUMENT = Path(__file__).parents[2] / "docs" / "streams.md"


def documented() -> Any:
    """Return the function `verified` of the document's example."""
    text = DOCUMENT.read_text()
    code = text.partition("```python\n")[2].partition("```")[0]
    names: dict[str, Any] = {}
    exec(code, names)  # noqa: S102 - it is our own document
    return names["verified"]


class WebhookReceiver:
    """The running program. `answers` are the statuses of the next messages, then 204; `received`: those accepted."""

    def __init__(self, server: ThreadingHTTPServer) -> None:
        self.url = f"http://127.0.0.1:{server.server_address[1]}/hook"
        self.verified = documented()
        self.secrets: set[str] = set()
        self.answers: list[int] = []
        self.received: list[dict[str, Any]] = []
        self.ids: list[str] = []
        self.errors: list[str] = []
        self.slow = 0.0
        self.calls = 0
        self.accepted = threading.Condition()

    def kinds(self) -> list[str]:
        return [event["type"] for event in self.received]

    def wait(self, count: int, *, timeout: float = 60) -> list[dict[str, Any]]:
        """Wait for so many accepted messages and return them."""
        with self.accepted:
            assert self.accepted.wait_for(lambda: len(self.received) >= count, timeout), (self.received, self.errors)
        return list(self.received)

    def take(self, headers: Mapping[str, str], body: bytes) -> int:
        self.calls += 1
        self.ids.append(headers.get("webhook-id", ""))
        if self.answers and not 200 <= (status := self.answers.pop(0)) < 300:
            return status
        if not any(self.verified(secret, headers, body) for secret in self.secrets):
            self.errors.append("a false signature")
            return 401
        with self.accepted:
            self.received.append(json.loads(body))
            self.accepted.notify_all()
        return 204


class _Handler(BaseHTTPRequestHandler):
    taker: WebhookReceiver

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        time.sleep(self.taker.slow)
        self.send_response(self.taker.take(self.headers, body))  # type: ignore[arg-type]
        self.send_header("Location", "/elsewhere")
        self.end_headers()

    def do_GET(self) -> None:
        """The target of a redirect, which no client may follow."""
        self.taker.errors.append("followed a redirect")
        self.send_response(204)
        self.end_headers()

    def log_message(self, *args: object) -> None:
        """Tests say by themselves what they saw."""


@contextmanager
def running() -> Iterator[WebhookReceiver]:
    """The program for as long as the block."""
    handler = type("Handler", (_Handler,), {})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    taker = WebhookReceiver(server)
    handler.taker = taker
    thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    try:
        yield taker
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
