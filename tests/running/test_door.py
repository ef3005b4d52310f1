"""The port: taken before anything starts, and the next free one when somebody has it."""

from __future__ import annotations

import http.server
import socket
import threading

import pytest

from backgammon.demo import door

EVERYWHERE = "0.0.0.0"  # noqa: S104


def test_the_next_free_port_is_taken() -> None:
    with door.open_door("127.0.0.1", 0) as first:
        taken = first.getsockname()[1]
        with door.open_door("127.0.0.1", taken) as second:
            assert taken < second.getsockname()[1] <= taken + door.TRIES


def test_a_foreign_address_is_refused_at_once() -> None:
    with pytest.raises(OSError, match="assign"):
        door.open_door("192.0.2.1", 8000)


@pytest.mark.parametrize(
    ("host", "private"),
    [("127.0.0.1", True), ("localhost", True), ("::1", True), (EVERYWHERE, False), ("club.example", False)],
)
def test_who_can_knock(host: str, private: bool) -> None:
    assert door.is_loopback(host) is private


def test_the_address_is_one_for_a_browser_on_this_machine() -> None:
    with door.open_door(EVERYWHERE, 0) as everywhere:
        assert door.address(everywhere) == f"http://127.0.0.1:{everywhere.getsockname()[1]}"


@pytest.mark.parametrize(("status", "answer"), [(200, True), (302, True), (404, True), (500, False), (503, False)])
def test_only_a_working_site_answers(status: int, answer: bool) -> None:
    class Page(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(status)
            self.send_header("Location", "/elsewhere")
            self.end_headers()

        def log_message(self, *args: object) -> None: ...

    with http.server.HTTPServer(("127.0.0.1", 0), Page) as server:
        threading.Thread(target=server.handle_request, daemon=True).start()
        assert door.answers(f"http://127.0.0.1:{server.server_port}") is answer


def test_an_open_port_alone_is_no_answer() -> None:
    with socket.create_server(("127.0.0.1", 0)) as mute:
        assert door.answers(f"http://127.0.0.1:{mute.getsockname()[1]}", timeout=0.2) is False
