"""Outbound HTTP: checked addresses only, no redirects followed, no delay by a slow server."""

from __future__ import annotations

import socket
import ssl
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from accounts.web import outbound_http
from accounts.web.outbound_http import Answer, Call, Endpoint, parse, send_all
from tests.self_signed import certificate
from tests.services import push_service


def call(url: str) -> Call:
    return Call(parse(url, loopback=True), {"TTL": "60"}, b"sealed")


@contextmanager
def server(
    answer: bytes, *, pause: float = 0, context: ssl.SSLContext | None = None
) -> Iterator[tuple[int, list[bytes]]]:
    """A server that sends `answer` byte by byte with pauses, and records what it receives."""
    received: list[bytes] = []
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def serve() -> None:
            try:
                connection, _ = listening.accept()
                with context.wrap_socket(connection, server_side=True) if context else connection as stream:
                    received.append(stream.recv(65536))
                    for n in range(len(answer)) if pause else [None]:
                        stream.sendall(answer if n is None else answer[n : n + 1])
                        time.sleep(pause)
            except OSError:
                return

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        yield listening.getsockname()[1], received


def test_a_message_is_one_request_without_anything_private() -> None:
    with server(b"HTTP/1.1 201 Created\r\n\r\n") as (port, received):
        assert send_all([call(f"http://127.0.0.1:{port}/push/a")], loopback=True) == [Answer(201)]
    assert received[0].split(b"\r\n\r\n")[0].decode().splitlines() == [
        "POST /push/a HTTP/1.1",
        "TTL: 60",
        f"Host: 127.0.0.1:{port}",
        "Content-Length: 6",
        "Connection: close",
    ]


def test_a_redirect_is_an_answer_and_is_not_followed() -> None:
    with push_service.running() as service:
        service.answers = [(307, {"Location": f"{service.origin}/elsewhere"}), (302, {"Location": "/elsewhere"})]
        calls = [call(f"{service.origin}/push/a")] * 2
        assert sorted(each.status for each in send_all(calls, loopback=True)) == [302, 307]
        assert (service.calls, service.errors) == (2, [])


@pytest.mark.parametrize(
    "found", [["127.0.0.1"], ["10.0.0.1"], ["169.254.169.254"], ["::1"], ["8.8.8.8", "127.0.0.1"], ["::ffff:10.0.0.1"]]
)
def test_a_public_name_that_resolves_to_a_private_address_is_not_called(found: list[str]) -> None:
    with server(b"HTTP/1.1 201 Created\r\n\r\n") as (port, received):
        call_home = Call(Endpoint(True, "push.example.net", port, "/a"), {}, b"")
        assert send_all([call_home], loopback=True, resolve=lambda host, port: found) == [Answer(0, why="not public")]
        assert received == []


def test_a_name_that_resolves_elsewhere_after_the_check_is_called_at_the_checked_address(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(outbound_http, "is_public", lambda address: address == "127.0.0.2")
    lookups = iter([["127.0.0.2"], ["127.0.0.1"]])
    with server(b"HTTP/1.1 201 Created\r\n\r\n") as (port, received):
        rebinding = Call(Endpoint(False, "push.example.net", port, "/a"), {}, b"")
        [answer] = send_all([rebinding], resolve=lambda host, port: next(lookups))
        assert (answer.why, received, next(lookups)) == ("ConnectionRefusedError", [], ["127.0.0.1"])


def test_localhost_is_not_called_in_production() -> None:
    with server(b"HTTP/1.1 201 Created\r\n\r\n") as (port, received):
        assert send_all([call(f"http://127.0.0.1:{port}/a")]) == [Answer(0, why="not public")]
        assert received == []


@pytest.mark.parametrize(
    ("sent", "answer"),
    [
        (b"HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 429 Slow\r\nRetry-After: 7\r\n\r\n", Answer(429, "7")),
        (b"HTTP/1.1 201 Created\r\nX: " + b"y" * 40_000, Answer(0, why="too long")),
        (b"SSH-2.0-server\r\n\r\n", Answer(0, why="BadStatusLine")),
        (b"hello\r\n\r\n", Answer(0, why="BadStatusLine")),
        (b"", Answer(0, why="IncompleteReadError")),
    ],
)
def test_any_server_response_becomes_an_answer(sent: bytes, answer: Answer) -> None:
    with server(sent) as (port, _):
        assert send_all([call(f"http://127.0.0.1:{port}/a")], loopback=True) == [answer]


def test_a_slow_server_does_not_delay_other_calls() -> None:
    with server(b"HTTP/1.1 201 Created\r\n\r\n", pause=0.5) as (port, _), push_service.running() as service:
        began = time.monotonic()
        calls = [call(f"http://127.0.0.1:{port}/a"), call(f"{service.origin}/push/nobody")]
        answers = send_all(calls, loopback=True, seconds=5)
    assert [(each.status, each.why) for each in answers] == [(0, "timeout"), (410, "")]
    assert time.monotonic() - began < 10  # one after the other they take more than 12


def test_a_hanging_name_lookup_does_not_block() -> None:
    over = threading.Event()

    def hanging(host: str, port: int) -> list[str]:
        over.wait(60)
        return []

    try:
        answers = send_all([call("http://127.0.0.1:9/a")], loopback=True, seconds=0.2, resolve=hanging)
        assert (answers, over.is_set()) == ([Answer(0, why="timeout")], False)
    finally:
        over.set()


def test_the_certificate_must_match_the_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outbound_http, "is_public", lambda address: True)
    serving, trusting = certificate(tmp_path, "push.example.net")

    def answer(name: str) -> Answer:
        with server(b"HTTP/1.1 201 Created\r\n\r\n", context=serving) as (port, _):
            secure = Call(Endpoint(True, name, port, "/a"), {}, b"")
            return send_all([secure], resolve=lambda host, port: ["127.0.0.1"], context=trusting)[0]

    assert answer("push.example.net") == Answer(201)
    assert answer("other.example.net") == Answer(0, why="SSLCertVerificationError")
