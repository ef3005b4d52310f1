"""Assumptions about daphne's internals: a client that stops reading, and one that sends too fast."""

from __future__ import annotations

import base64
import json
import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from games.connections.transport import buffers_of
from tools.services.environment import ROOT, clean_environment

PATIENCE = 300  # seconds for a server on a busy machine
APPLICATION = '''
import asyncio, gc, json
from games.connections.transport import TransportMiddleware, buffers_of

scopes = []  # of all sockets

async def application(scope, receive, send):
    """Says something, floods, or answers `sleep` with its buffers, having read nothing for half a second."""
    if scope["type"] != "websocket":
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await asyncio.sleep(0.2)
        await send({"type": "http.response.body", "body": str(middleware.under_way).encode()})
        return
    buffers = buffers_of(scope)
    was = buffers.gone
    scopes.append(scope)
    while True:
        message = await receive()
        if message["type"] == "websocket.connect":
            await send({"type": "websocket.accept"})
        elif message["type"] == "websocket.disconnect" and scope["path"] == "/tell":
            print(json.dumps({"gone": buffers.gone, "was": was}), flush=True)
            return
        elif message["type"] == "websocket.disconnect":
            return
        elif message["text"] == "flood":
            for _ in range(200):
                await send({"type": "websocket.send", "text": "x" * 60_000})
        elif message["text"] == "say":
            buffers.send_text("said")
            print(json.dumps({"unsent": buffers.unsent}), flush=True)
        elif message["text"] == "pour":
            for number in range(200):
                buffers.send_text(f"{number:03}" * 20_000)
            print(json.dumps({"waits": buffers.unsent > 0}), flush=True)
        elif message["text"] == "ended":
            buffers.send_text(str([list(each) for each in scopes[:-1]]))
        elif message["text"] == "kept":
            buffers.forget_handshake()
            gc.collect()
            kinds = [type(each).__name__ for each in gc.get_objects()]
            protocol = buffers._protocol
            kept = [*scope, *protocol.clean_headers, *protocol.http_headers]
            found = {"kept": kept, "request": protocol.transport.producer, "queues": kinds.count("Queue")}
            buffers.send_text(json.dumps(found, default=repr))
        elif message["text"] == "sleep":
            await asyncio.sleep(0.5)
            print(json.dumps({"unread": buffers.unread, "unsent": buffers.unsent}), flush=True)

middleware = TransportMiddleware(application)
'''


@pytest.fixture
def daphne(tmp_path: Path) -> Iterator[tuple[int, subprocess.Popen[str]]]:
    """(port, process) of a daphne with the application above."""
    (tmp_path / "small.py").write_text(APPLICATION)
    listener = socket.create_server(("127.0.0.1", 0))
    command = [sys.executable, "-m", "daphne", "--verbosity", "0", "--fd", str(listener.fileno()), "small:middleware"]
    env = clean_environment(PYTHONPATH=os.pathsep.join([str(tmp_path), str(ROOT)]))
    with subprocess.Popen(command, env=env, pass_fds=[listener.fileno()], stdout=subprocess.PIPE, text=True) as process:
        yield listener.getsockname()[1], process
        process.terminate()
    listener.close()


def frame(text: str) -> bytes:
    """A client's text frame, masked with zeros."""
    return bytes([0x81, 0x80 | len(text), 0, 0, 0, 0]) + text.encode()


def joined(port: int, path: str = "/") -> socket.socket:
    client = socket.socket()
    client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    client.settimeout(20)
    client.connect(("127.0.0.1", port))
    key = base64.b64encode(os.urandom(16)).decode()
    lines = [f"GET {path} HTTP/1.1", "Host: a", "Upgrade: websocket", "Connection: Upgrade"]
    lines += [f"Sec-WebSocket-Key: {key}", "Sec-WebSocket-Version: 13", "", ""]
    client.sendall("\r\n".join(lines).encode())
    assert b" 101 " in client.recv(200)
    return client


def test_the_buffers_show_what_is_not_sent_and_what_is_not_read(daphne: tuple[int, subprocess.Popen[str]]) -> None:
    port, process = daphne
    assert process.stdout is not None
    with joined(port) as client:
        client.sendall(frame("sleep"))
        client.sendall(frame("hello") * 30)
        assert json.loads(process.stdout.readline()) == {"unread": 30, "unsent": 0}
        client.sendall(frame("flood"))  # 12 MB, more than any system buffers
        client.sendall(frame("sleep"))
        assert 1_000_000 < json.loads(process.stdout.readline())["unsent"] <= 200 * 60_010


def test_a_frame_leaves_before_the_event_loop_does_anything_else(daphne: tuple[int, subprocess.Popen[str]]) -> None:
    port, process = daphne
    assert process.stdout is not None
    with joined(port) as client:
        client.sendall(frame("say"))
        assert json.loads(process.stdout.readline()) == {"unsent": 0}
        assert client.recv(100) == b"\x81\x04said"


def test_frames_that_a_slow_client_reads_later_are_whole_and_in_order(
    daphne: tuple[int, subprocess.Popen[str]],
) -> None:
    port, process = daphne
    assert process.stdout is not None
    with joined(port) as client:
        client.sendall(frame("pour"))  # 12 MB, more than any system buffers
        assert json.loads(process.stdout.readline()) == {"waits": True}
        received = client.makefile("rb")
        for number in range(200):
            assert received.read(4) == b"\x81\x7e" + (60_000).to_bytes(2, "big")
            assert received.read(60_000) == f"{number:03}".encode() * 20_000


def test_the_buffers_tell_that_the_client_has_gone(daphne: tuple[int, subprocess.Popen[str]]) -> None:
    port, process = daphne
    assert process.stdout is not None
    joined(port, "/tell").close()
    assert json.loads(process.stdout.readline()) == {"gone": True, "was": False}


def test_an_open_socket_keeps_nothing_of_its_handshake(daphne: tuple[int, subprocess.Popen[str]]) -> None:
    port, _ = daphne
    with joined(port), joined(port), joined(port) as client:
        client.sendall(frame("kept"))
        answer = client.recv(1000)[2:]  # behind the head of its frame
        assert json.loads(answer) == {"kept": [], "request": None, "queues": 0}


def test_a_socket_that_has_ended_leaves_nothing_to_collect(daphne: tuple[int, subprocess.Popen[str]]) -> None:
    port, process = daphne
    assert process.stdout is not None
    joined(port, "/tell").close()
    process.stdout.readline()
    with joined(port) as client:
        client.sendall(frame("ended"))
        assert client.recv(1000)[2:] == b"[[]]"


def test_requests_under_way_are_counted(daphne: tuple[int, subprocess.Popen[str]]) -> None:
    port, _ = daphne
    clients = [socket.create_connection(("127.0.0.1", port), timeout=PATIENCE) for _ in range(3)]
    for client in clients:
        client.sendall(b"GET / HTTP/1.0\r\n\r\n")
    answers = [b"".join(iter(lambda client=client: client.recv(1000), b"")) for client in clients]  # type: ignore[misc]
    assert answers[0].endswith(b"3")
    with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE) as alone:
        alone.sendall(b"GET / HTTP/1.0\r\n\r\n")
        assert b"".join(iter(lambda: alone.recv(1000), b"")).endswith(b"1")
    for client in clients:
        client.close()


def test_without_daphne_there_are_no_buffers() -> None:
    assert buffers_of({"type": "websocket"}) is None
