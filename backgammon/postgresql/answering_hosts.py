"""Connections to one of several PostgreSQL hosts: only those that answer are asked whether they can be written.

libpq and psycopg ask one host after another, and wait `connect_timeout` for one whose link is cut, at every connection.
With two living hosts beside it that is time in which nobody plays. So all of them are called at once here, and those
that answer are asked. While none can be written, as when a standby takes over, they are called again several times a
second: the pool itself would wait a second between two tries, then two.
"""

from __future__ import annotations

import errno
import selectors
import socket
import time
from collections.abc import Sequence
from contextlib import ExitStack
from typing import Any, Self

import psycopg

from backgammon.several_hosts import Host

ANSWER_WITHIN = 0.5
"""Seconds that a host has to accept a connection."""
OTHERS_WITHIN = 0.1
"""Seconds that the other hosts have from the first one's answer on, unless that one could not be written."""
RETRY_AFTER = 0.4
"""Seconds from one try to the next."""
PATIENCE = 2.0
"""Seconds after which a failed connection is reported to the pool, which begins anew for whoever still waits."""


class Connection(psycopg.Connection[Any]):
    """A connection of the pool (`connection_class`): its `host` may name several, separated by commas."""

    @classmethod
    def connect(cls, conninfo: str = "", **parameters: Any) -> Self:
        """Connect to the first host that answers and can be written. Raises OperationalError after `PATIENCE`."""
        begun = moment = time.monotonic()
        others_within = OTHERS_WITHIN
        while True:
            try:
                return super().connect(conninfo, **{**parameters, **_answering(parameters, others_within)})
            except psycopg.OperationalError:
                if time.monotonic() - begun >= PATIENCE:
                    raise
            time.sleep(max(0.0, moment + RETRY_AFTER - time.monotonic()))
            moment, others_within = time.monotonic(), ANSWER_WITHIN


def _answering(parameters: dict[str, Any], others_within: float) -> dict[str, str]:
    """Return the parameters that name the hosts that answer; nothing where there is one host, or a socket's folder.

    Raises OperationalError where none answers.
    """
    hosts = _hosts_in(parameters)
    if len(hosts) <= 1:
        return {}
    answering = hosts_that_answer(hosts, others_within=others_within)
    if not answering:  # psycopg would wait for the first of them for minutes, also when its link is mended meanwhile
        listed = ", ".join(f"{name}:{port}" for name, port in hosts)
        raise psycopg.OperationalError(f"no PostgreSQL answers within {ANSWER_WITHIN} s at {listed}")
    names, ports = zip(*answering, strict=True)
    return {"host": ",".join(names), "port": ",".join(map(str, ports))}


def hosts_that_answer(
    hosts: Sequence[Host], within: float = ANSWER_WITHIN, others_within: float = ANSWER_WITHIN
) -> list[Host]:
    """Return, in their order, the hosts that accept a TCP connection, called all at once.

    The first one has `within` seconds, the others `others_within` from its answer on, but no more than `within`.
    """
    answering: set[Host] = set()
    with ExitStack() as stack, selectors.DefaultSelector() as calls:
        for host in hosts:
            if (calling := _call(host)) is not None:
                calls.register(stack.enter_context(calling), selectors.EVENT_WRITE, host)
        end = time.monotonic() + within
        while calls.get_map() and (left := end - time.monotonic()) > 0:
            for key, _ in calls.select(left):
                calls.unregister(key.fileobj)
                if key.fileobj.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR) == 0:  # type: ignore[union-attr]
                    end = end if answering else min(end, time.monotonic() + others_within)
                    answering.add(key.data)
    return [host for host in hosts if host in answering]


def _call(host: Host) -> socket.socket | None:
    """Return a socket that is connecting; None for a host whose name is unknown or which nobody can reach."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(*host, type=socket.SOCK_STREAM)[0]
    except OSError:
        return None
    calling = socket.socket(family, kind, protocol)
    calling.setblocking(False)
    if calling.connect_ex(address) in (0, errno.EINPROGRESS):  # what becomes of it is read when the socket is writable
        return calling
    calling.close()
    return None


def _hosts_in(parameters: dict[str, Any]) -> list[Host]:
    names, ports = (str(parameters.get(name) or "").split(",") for name in ("host", "port"))
    if len(ports) != len(names) or any(name.startswith("/") for name in names):  # a socket's folder answers at once
        return []
    return [(name, int(port)) for name, port in zip(names, ports, strict=True) if name and port]
