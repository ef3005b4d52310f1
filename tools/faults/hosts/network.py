"""Three network namespaces on a bridge, each with one link that can be cut."""

from __future__ import annotations

import fcntl
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import psutil  # type: ignore[import-untyped]

BRIDGE = "thbr"
NETWORK = "10.77.0"
OUTSIDE = f"{NETWORK}.254"  # this machine's own address on the bridge: the players', and the audit's
NUMBERS = (1, 2, 3)
LOCK = Path("/run/tablero-hosts.lock")


def namespace(number: int) -> str:
    return f"th{number}"


def address(number: int) -> str:
    return f"{NETWORK}.{number}"


def cut(number: int) -> None:
    """Take the host's link down: nothing comes in or goes out, and nobody is told."""
    _ip("link", "set", f"thv{number}", "down")


def mend(number: int) -> None:
    """Bring the link up again."""
    _ip("link", "set", f"thv{number}", "up")


def command_in(number: int, command: tuple[str, ...], *, user: tuple[int, int] | None = None) -> tuple[str, ...]:
    """Return the command that runs `command` in a host's network, as the user and group with these ids."""
    identity = ("-S", str(user[0]), "-G", str(user[1])) if user else ()
    return ("nsenter", f"--net=/run/netns/{namespace(number)}", *identity, *command)


def processes_of(number: int) -> list[psutil.Process]:
    """Return every process in a host's network, whoever started it."""
    try:
        done = _ip("netns", "pids", namespace(number))
    except subprocess.CalledProcessError:
        return []
    found = []
    for pid in done.split():
        with suppress(psutil.NoSuchProcess):
            found.append(psutil.Process(int(pid)))
    return found


def kill_all(number: int) -> None:
    """End every process of a host with SIGKILL, and wait until none is left."""
    while found := processes_of(number):
        for process in found:
            with suppress(psutil.NoSuchProcess):
                process.kill()
        psutil.wait_procs(found, timeout=5)


def why_not() -> str:
    """Return why this machine cannot have network namespaces, or an empty text."""
    try:
        _ip("netns", "add", "thtry")
        _ip("netns", "del", "thtry")
    except subprocess.CalledProcessError as error:
        return f"no network namespace can be created: {error.stderr.strip()}"
    return ""


@contextmanager
def hosts() -> Iterator[None]:
    """Create the namespaces for the block. What an interrupted run left behind is removed first.

    Raises BlockingIOError while another run has them.
    """
    with LOCK.open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield from _created()


def _created() -> Iterator[None]:
    _remove()
    try:
        _ip("link", "add", BRIDGE, "type", "bridge")
        _ip("addr", "add", f"{OUTSIDE}/24", "dev", BRIDGE)
        _ip("link", "set", BRIDGE, "up")
        for number in NUMBERS:
            _create(number)
        yield
    finally:
        _remove()


def _create(number: int) -> None:
    name, outer, inner = namespace(number), f"thv{number}", f"thi{number}"
    _ip("netns", "add", name)
    _ip("link", "add", outer, "type", "veth", "peer", "name", inner)
    _ip("link", "set", inner, "netns", name)
    _ip("link", "set", outer, "master", BRIDGE, "up")
    for words in (
        ("addr", "add", f"{address(number)}/24", "dev", inner),
        ("link", "set", inner, "up"),
        ("link", "set", "lo", "up"),
    ):
        _ip("-n", name, *words)


def _remove() -> None:
    for number in NUMBERS:
        if Path(f"/run/netns/{namespace(number)}").exists():
            kill_all(number)
        for words in (("netns", "del", namespace(number)), ("link", "del", f"thv{number}")):
            with suppress(subprocess.CalledProcessError):
                _ip(*words)
    with suppress(subprocess.CalledProcessError):
        _ip("link", "del", BRIDGE)


def _ip(*words: str) -> str:
    return subprocess.run(["ip", *words], check=True, capture_output=True, text=True).stdout
