"""`manage.py demo` and `make run` as a newcomer uses them: real processes, real signals."""

from __future__ import annotations

import contextlib
import os
import re
import resource
import signal
import socket
import stat
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from backgammon import descriptors
from backgammon.demo import listening_socket
from tools.services import valkey as broker_service
from tools.services.environment import HEEDING
from tools.services.site import Site, start, temporary_database

pytestmark = pytest.mark.processes
SOON = 60  # seconds in which all processes end on a busy machine
MAKE = ("make", "--no-print-directory", "run", f"PY={sys.executable}", "BASE=manage.py")


PARTS = {"web": "-m daphne", "clocks": "-Q clocks,tablero", "bots": "-Q bots", "beat": " beat "}
"""What stands in the command of a process that was started again; one of the start has the command of its server."""


def processes_of(var: Path) -> dict[int, str]:
    """Return the name and command of every process of the site in `var`.

    They are found by their environment, the broker by its title.
    """
    mark = f"TABLERO_VAR={var}".encode()
    found = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            with contextlib.suppress(OSError):
                command = (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode()
                if mark in (entry / "environ").read_bytes().split(b"\0") or str(var) in command:
                    found[int(entry.name)] = f"{(entry / 'comm').read_text().strip()} {command}"
    return found


def is_part(command: str, name: str) -> bool:
    """Whether a process is this part of the site."""
    return command.startswith(f"tablero-{name} ") or PARTS.get(name, name) in command


def all_ended(var: Path, *, within: float) -> bool:
    end = time.monotonic() + within
    while processes_of(var):
        if time.monotonic() > end:
            return False
        time.sleep(0.05)
    return True


def child(var: Path, name: str) -> int:
    """Return the process id of a part of the site.

    A process that replaces its program has neither command nor environment for a moment: wait for them.
    """
    end = time.monotonic() + SOON
    while True:
        running = processes_of(var).items()
        found = [pid for pid, command in running if is_part(command, name) and "parent_watch.py" not in command]
        if found or time.monotonic() > end:
            return min(found)
        time.sleep(0.05)


@pytest.fixture
def var() -> Iterator[Path]:
    """A folder with a short name: pytest's own are too long for a socket."""
    with tempfile.TemporaryDirectory(prefix="tablero-", ignore_cleanup_errors=True) as name:
        yield Path(name) / "var"
        for pid in processes_of(Path(name) / "var"):
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)


@pytest.fixture
def taken_port() -> Iterator[int]:
    """A port that another program listens on."""
    with socket.create_server(("127.0.0.1", 0)) as other:
        yield other.getsockname()[1]


def test_a_first_make_run_on_a_taken_port_and_the_next_on_its_data_whose_children_are_killed(
    var: Path, taken_port: int
) -> None:
    shell = ("sh", "-c", 'ulimit -Sn 1000 && exec "$@"', "sh")
    first = start(var, command=(*shell, *HEEDING, *MAKE, f"PORT={taken_port}"), from_nothing=True)
    url = first.wait_for_url(timeout=280)
    soft, hard = resource.prlimit(child(var, "manage.py demo"), resource.RLIMIT_NOFILE)
    assert soft == min(hard, descriptors.ENOUGH) > 1000
    assert int(url.rsplit(":", 1)[1]) > taken_port
    with urllib.request.urlopen(url, timeout=60) as answer:  # noqa: S310
        assert answer.status == 200

    running = processes_of(var).values()
    for part in ("valkey-server", *PARTS):
        assert any(is_part(command, part) for command in running), part

    assert stat.S_IMODE(var.stat().st_mode) == 0o700
    assert stat.S_IMODE((var / "secret_key").stat().st_mode) == 0o600
    key = (var / "secret_key").read_text()
    people = first.rows("SELECT id, username FROM accounts_user WHERE NOT is_bot ORDER BY username")
    for _, name in people:
        assert any(re.fullmatch(rf"Demo account: {name}  password: \S+", line) for line in first.output)
    assert [name for _, name in people] == ["ana", "bea"]

    second = start(var)
    assert second.process.wait(60) != 0
    assert "already running" in "\n".join(second.output)

    first.stop(signal.SIGINT)  # only make gets the signal
    assert all_ended(var, within=SOON)
    assert "Stopped." in first.output
    everything = "\n".join(first.output)
    assert everything.count("http://") == 1, everything

    third = start(var)
    third.wait_for_url()
    assert (var / "secret_key").read_text() == key
    assert third.rows("SELECT id, username FROM accounts_user WHERE NOT is_bot ORDER BY username") == people
    assert not [line for line in third.output if line.startswith("Demo account")]
    for name, part in (("web", "web"), ("bots", "bots"), ("broker", "valkey-server")):
        is_started_again(third, name, part)
    assert third.stop() == 0
    assert all_ended(var, within=SOON)
    late = [line for line in third.output if "did not stop" in line]
    assert not [line for line in late if line.startswith(("bots", "analysis"))]  # they are killed without notice


def is_started_again(site: Site, name: str, part: str) -> None:
    """Kill a child and wait for the next one; the others go on."""
    before = processes_of(site.var)
    os.kill(child(site.var, part), signal.SIGKILL)
    assert becomes_true(lambda: any(is_part(command, part) for command in new(site, before)))
    assert becomes_true(lambda: listening_socket.responds(f"{site.url}/accounts/login/"))
    assert f"{name:<7}| ended unexpectedly (signal SIGKILL), starting again now" in site.output
    now = processes_of(site.var)
    gone = [command for pid, command in before.items() if not is_part(command, part) and pid not in now]
    assert (gone, site.process.poll()) == ([], None)


def new(site: Site, before: dict[int, str]) -> list[str]:
    """The commands of the processes that the site has started since `before`."""
    return [command for pid, command in processes_of(site.var).items() if pid not in before]


def becomes_true(condition: Callable[[], bool], *, within: float = 60) -> bool:
    """Whether a condition becomes true within some seconds."""
    end = time.monotonic() + within
    while not (true := condition()) and time.monotonic() < end:
        time.sleep(0.05)
    return true


# As does SIGINT (above); tests/running/test_supervisor.py has all signals, with small children.
def test_a_signal_during_the_start_stops_it_too(var: Path) -> None:
    site = start(var)
    end = time.monotonic() + 60
    while len(processes_of(var)) < 3 and time.monotonic() < end:
        time.sleep(0.05)
    assert site.stop(signal.SIGTERM) == 0
    assert all_ended(var, within=SOON)


@pytest.mark.postgres
def test_with_both_addresses_set_no_service_is_started_and_another_address_makes_no_demo_accounts(
    var: Path, tmp_path: Path
) -> None:
    with (
        broker_service.temporary_broker(tmp_path / "run") as redis_url,
        temporary_database(os.environ["DATABASE_URL"], "tablero_demo") as url,
    ):
        site = start(var, "--host", "0.0.0.0", DATABASE_URL=url, REDIS_URL=str(redis_url))  # noqa: S104
        assert site.wait_for_url().startswith("http://127.0.0.1:")
        assert "valkey" not in " ".join(processes_of(var).values())
        assert site.rows("SELECT count(*) FROM accounts_user WHERE is_bot") == [(5,)]
        assert site.rows("SELECT count(*) FROM accounts_user WHERE NOT is_bot") == [(0,)]
        assert site.stop(signal.SIGHUP) == 0
        assert not (var / "tablero.sqlite3").exists()
        assert all_ended(var, within=SOON)


def test_make_without_the_right_python_says_so(tmp_path: Path) -> None:
    old = tmp_path / "python3"
    old.write_text("#!/bin/sh\nexit 1\n")
    old.chmod(0o755)
    done = subprocess.run(
        ["make", "run", f"PYTHON={old}", f"VENV={tmp_path}/venv"], capture_output=True, text=True, check=False
    )
    assert done.returncode != 0
    assert "Tablero needs Python 3.11 or newer" in done.stderr
