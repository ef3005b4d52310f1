"""Several PostgreSQL hosts: one that does not answer keeps nobody waiting."""

from __future__ import annotations

import logging
import select
import socket
import socketserver
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

import psycopg
import pytest
from django.db import connection

from backgammon.postgresql import answering_hosts
from backgammon.postgresql.answering_hosts import Connection, hosts_that_answer
from backgammon.several_hosts import Host

HERE = "127.0.0.1"
PATIENT = 60.0  # seconds, which only a silent host takes


@pytest.fixture
def silent() -> Iterator[Host]:
    """A host whose link is cut: its queue of connections is full, so that it answers to none."""
    with ExitStack() as stack:
        listening = stack.enter_context(socket.create_server((HERE, 0), backlog=0))
        host = listening.getsockname()
        for _ in range(4):
            waiting = stack.enter_context(socket.socket())
            waiting.setblocking(False)
            waiting.connect_ex(host)
        yield host


@pytest.fixture
def refusing() -> Host:
    """A host on which no server runs."""
    with socket.create_server((HERE, 0)) as listening:
        host: Host = listening.getsockname()
    return host


@contextmanager
def forwarding(here: Host, server: Host) -> Iterator[None]:
    """Listen at `here`, as `server` does, for the block."""

    class Carrier(socketserver.BaseRequestHandler):
        def handle(self) -> None:
            with socket.create_connection(server) as beyond:
                other = {self.request: beyond, beyond: self.request}
                while True:
                    for end in select.select(list(other), [], [])[0]:
                        if not (piece := end.recv(2**16)):
                            return
                        other[end].sendall(piece)

    class Server(socketserver.ThreadingTCPServer):
        allow_reuse_address = True

    with Server(here, Carrier) as serving:
        threading.Thread(target=serving.serve_forever, kwargs={"poll_interval": 0.05}).start()
        yield
        serving.shutdown()


@pytest.fixture
def listening() -> Iterator[Host]:
    with socket.create_server((HERE, 0)) as server:
        yield server.getsockname()


def test_hosts_that_answer_keep_their_order_and_the_others_are_left_out(
    silent: Host, refusing: Host, listening: Host
) -> None:
    with socket.create_server((HERE, 0)) as server:
        second: Host = server.getsockname()
        assert hosts_that_answer([silent, second, refusing, listening]) == [second, listening]


def test_nobody_waits_for_a_silent_host_when_all_others_are_decided_but_within_its_time(
    silent: Host, refusing: Host
) -> None:
    assert hosts_that_answer([silent, refusing], within=0.01) == []


def test_a_host_without_an_address_does_not_answer(listening: Host) -> None:
    assert hosts_that_answer([("no-such-host.invalid", 5432), listening]) == [listening]


@pytest.mark.postgres
@pytest.mark.django_db
def test_a_connection_goes_past_a_silent_host_to_the_one_that_can_be_written(
    silent: Host, refusing: Host, caplog: pytest.LogCaptureFixture
) -> None:
    parameters = connection.get_connection_params()
    arguments = {name: parameters[name] for name in ("user", "password", "dbname") if parameters.get(name)}
    host, port = connection.connection.info.host, connection.connection.info.port
    if host.startswith("/"):
        pytest.skip("the server of the tests listens on a socket alone")
    caplog.set_level(logging.DEBUG, "psycopg")
    with Connection.connect(
        host=f"{silent[0]},{refusing[0]},{host}",
        port=f"{silent[1]},{refusing[1]},{port}",
        target_session_attrs="read-write",
        connect_timeout=PATIENT,
        **arguments,
    ) as found:
        assert (found.info.host, found.info.port) == (host, port)
    asked = [message for message in caplog.messages if message.startswith("connection attempt")]
    assert len(asked) == 1
    assert str(port) in asked[0]


@pytest.mark.postgres
@pytest.mark.django_db
def test_a_server_that_comes_back_a_moment_later_is_connected_to(
    refusing: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(answering_hosts, "PATIENCE", PATIENT)  # however late the timer is on a busy machine
    parameters = connection.get_connection_params()
    arguments = {name: parameters[name] for name in ("user", "password", "dbname") if parameters.get(name)}
    server = connection.connection.info
    if server.host.startswith("/"):
        pytest.skip("the server of the tests listens on a socket alone")
    with ExitStack() as stack:
        back = threading.Timer(0.5, lambda: stack.enter_context(forwarding(refusing, (server.host, server.port))))
        back.start()
        stack.callback(back.join)
        with Connection.connect(host=refusing[0], port=refusing[1], **arguments) as found:
            assert found.info.port == refusing[1]


def test_without_a_host_that_answers_the_error_names_all_of_them(
    refusing: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(answering_hosts, "PATIENCE", 0.0)
    with pytest.raises(psycopg.OperationalError) as raised:
        Connection.connect(host=f"{HERE},{HERE}", port=f"{refusing[1]},{refusing[1]}", dbname="club")
    assert str(raised.value) == f"no PostgreSQL answers within 0.5 s at {HERE}:{refusing[1]}, {HERE}:{refusing[1]}"


def test_the_first_answer_ends_the_wait_for_a_silent_host(silent: Host, listening: Host) -> None:
    begun = time.monotonic()
    assert hosts_that_answer([silent, listening], within=PATIENT, others_within=0.01) == [listening]
    assert time.monotonic() - begun < PATIENT
