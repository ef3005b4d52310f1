"""The listening socket: opened before anything starts, on the next free port if the wanted one is taken."""

from __future__ import annotations

import http.server
import socket
import threading

import pytest

from backgammon.demo import listening_socket

EVERYWHERE = "0.0.0.0"  # noqa: S104


def test_the_next_free_port_is_taken() -> None:
    with listening_socket.open_socket("127.0.0.1", 0) as first:
        taken_port = first.getsockname()[1]
        with listening_socket.open_socket("127.0.0.1", taken_port) as second:
            assert taken_port < second.getsockname()[1] <= taken_port + listening_socket.TRIES


def test_an_address_of_another_machine_is_refused_at_once() -> None:
    with pytest.raises(OSError, match="assign"):
        listening_socket.open_socket("192.0.2.1", 8000)


@pytest.mark.parametrize(
    ("host", "private"),
    [("127.0.0.1", True), ("localhost", True), ("::1", True), (EVERYWHERE, False), ("club.example", False)],
)
def test_loopback_addresses_are_recognised(host: str, private: bool) -> None:
    assert listening_socket.is_loopback(host) is private


def test_the_url_works_in_a_browser_on_this_machine() -> None:
    with listening_socket.open_socket(EVERYWHERE, 0) as everywhere:
        assert listening_socket.url_of(everywhere) == f"http://127.0.0.1:{everywhere.getsockname()[1]}"


@pytest.mark.parametrize(("status", "answer"), [(200, True), (302, True), (404, True), (500, False), (503, False)])
def test_only_a_site_without_errors_counts_as_responding(status: int, answer: bool) -> None:
    class Page(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(status)
            self.send_header("Location", "/elsewhere")
            self.end_headers()

        def log_message(self, *args: object) -> None: ...

    with http.server.HTTPServer(("127.0.0.1", 0), Page) as server:
        threading.Thread(target=server.handle_request, daemon=True).start()
        assert listening_socket.responds(f"http://127.0.0.1:{server.server_port}") is answer


def test_an_open_port_alone_is_no_response() -> None:
    with socket.create_server(("127.0.0.1", 0)) as mute:
        assert listening_socket.responds(f"http://127.0.0.1:{mute.getsockname()[1]}", timeout=0.2) is False
