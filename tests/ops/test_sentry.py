"""Error reports to Sentry from a real process: what failed and where, without personal data."""

from __future__ import annotations

import gzip
import http.server
import importlib
import json
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from backgammon.ops import sentry
from tools.services.environment import ROOT, clean_environment

BREAK = """
import logging
from django.test import RequestFactory
from backgammon.ops import logs
request = RequestFactory().get("/players/eulalia/?secretword=1", REMOTE_ADDR="203.0.113.9")
request.request_id = "0123456789abcdef"
logs.current_request.set(request)
def read(password):
    raise ValueError("no room for eulalia@club.example from 203.0.113.9")
try:
    read("hunter2hunter2")
except ValueError:
    logging.getLogger("games").exception("deadline of %s", "ab12")
import sentry_sdk; sentry_sdk.flush(10)
"""

UNPACKED: dict[str | None, Callable[[bytes], bytes]] = {
    None: bytes,
    "gzip": gzip.decompress,
    "br": lambda body: importlib.import_module("brotli").decompress(body),  # Sentry's choice where it is installed
}


@pytest.fixture
def sentry_server() -> Iterator[tuple[str, list[bytes]]]:
    """A Sentry server of the test: its DSN, and the envelopes it received."""
    envelopes: list[bytes] = []

    class Post(http.server.BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            envelopes.append(UNPACKED[self.headers.get("Content-Encoding")](body))
            self.send_response(200)
            self.end_headers()
            self.wfile.write(b"{}")

        def log_message(self, *args: object) -> None: ...

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Post) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://key@127.0.0.1:{server.server_port}/1", envelopes
        server.shutdown()


@pytest.mark.processes
def test_an_error_report_has_no_personal_data(sentry_server: tuple[str, list[bytes]]) -> None:
    dsn, envelopes = sentry_server
    with tempfile.TemporaryDirectory() as var:
        done = subprocess.run(
            [sys.executable, "manage.py", "shell", "-v0", "-c", BREAK],
            cwd=ROOT,
            env=clean_environment(SENTRY_DSN=dsn, TABLERO_VAR=var, no_proxy="*", NO_PROXY="*"),
            capture_output=True,
            text=True,
            timeout=120,
        )
    assert done.returncode == 0, done.stderr
    text = b"\n".join(envelopes).decode()
    events = [json.loads(line) for line in text.splitlines() if '"exception"' in line]
    assert [event["exception"]["values"][0]["value"] for event in events] == ["no room for <mail> from <address>"]
    (event,) = events
    assert event["logentry"]["message"] == "deadline of %s"
    assert event["tags"]["request"] == "0123456789abcdef"
    for secret in ("eulalia", "secretword", "203.0.113.9", "hunter2"):
        assert secret not in text


def test_unknown_fields_are_left_out() -> None:
    event: dict[str, Any] = {
        "event_id": "1",
        "user": {"id": 7, "ip_address": "203.0.113.9"},
        "request": {"url": "http://club/players/ana/", "cookies": "sessionid=x"},
        "extra": {"sys.argv": ["manage.py", "reset_link", "ana"]},
        "breadcrumbs": {"values": [{"message": "ana"}]},
        "transaction": "/players/{name}/",
        "exception": {
            "values": [{"value": "for ana@club.example", "stacktrace": {"frames": [{"vars": {"a": "ana"}}]}}]
        },
    }
    assert sentry.scrub_event(event, {}) == {
        "event_id": "1",
        "transaction": "-",
        "exception": {"values": [{"value": "for <mail>", "stacktrace": {"frames": [{}]}}]},
    }
