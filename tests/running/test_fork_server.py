"""The fork server: what it forks is a child of the supervisor like any other, and imports nothing again."""

from __future__ import annotations

import io
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import psutil  # type: ignore[import-untyped]
import pytest

from backgammon.demo.fork_server import ForkedProcess, ModuleRun
from backgammon.demo.supervisor import ProcessSpec, Supervisor
from tools.services.environment import ROOT, clean_environment

pytestmark = [
    pytest.mark.processes,
    pytest.mark.skipif(sys.platform != "linux", reason="only Linux makes a process the parent of orphans"),
]
PROGRAM = "tests.running.forked_program"
ENV = {"REDIS_URL": "redis://127.0.0.1:1/0"}


@pytest.fixture(scope="module")
def output() -> io.StringIO:
    return io.StringIO()


@pytest.fixture(scope="module")
def children(output: io.StringIO, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Supervisor]:
    """A supervisor whose fork server has imported the site."""
    before = dict(os.environ)
    os.environ.update(clean_environment(TABLERO_VAR=str(tmp_path_factory.mktemp("var"))))
    try:
        with Supervisor(out=output) as supervisor, supervisor.forking(ENV):
            yield supervisor
    finally:
        os.environ.clear()
        os.environ.update(before)


def start(children: Supervisor, name: str, *arguments: str, pass_fds: tuple[int, ...] = ()) -> ForkedProcess:
    run = ModuleRun(PROGRAM, arguments)
    children.start(ProcessSpec(name, run.command, env=ENV, module=run, pass_fds=pass_fds, grace=1))
    process = children.children.pop().process
    assert isinstance(process, ForkedProcess)
    return process


def lines_of(output: io.StringIO, name: str, count: int) -> list[str]:
    """The first lines of a child, once they are there."""
    while len(lines := [line for line in output.getvalue().splitlines() if line.startswith(name)]) < count:
        time.sleep(0.01)
    return lines


def test_a_fork_is_a_named_child_in_a_session_of_its_own(children: Supervisor, output: io.StringIO) -> None:
    process = start(children, "first", "sleep")
    assert lines_of(output, "first", 2) == [
        f"first  | tablero-first child of {os.getpid()} leads True",
        "first  | and to stderr",
    ]
    assert process.poll() is None
    with pytest.raises(subprocess.TimeoutExpired):
        process.wait(0.02)
    process.terminate()
    assert (process.wait(60), process.poll()) == (-signal.SIGTERM, -signal.SIGTERM)


def test_a_fork_has_the_site_but_not_what_is_rarely_used_and_slow_to_import(
    children: Supervisor, output: io.StringIO
) -> None:
    assert start(children, "second", "imports").wait(60) == 0
    assert lines_of(output, "second", 3)[2] == "second | django True networkx False garbage True"


def test_a_fork_ends_with_the_exit_status_of_its_program(children: Supervisor) -> None:
    assert start(children, "third", "7").wait(60) == 7
    assert start(children, "fourth", "0").wait() == 0


def test_a_fork_has_its_files_under_the_numbers_of_the_supervisor(children: Supervisor) -> None:
    reading, writing = os.pipe()
    assert start(children, "fifth", "write", str(writing), pass_fds=(writing,)).wait(60) == 0
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        assert pipe.read() == b"by number"


def test_what_needs_other_settings_is_a_program_of_its_own(children: Supervisor) -> None:
    run = ModuleRun(PROGRAM, ("3",))
    children.start(ProcessSpec("sixth", run.command, env={"REDIS_URL": "redis://127.0.0.1:2/0"}, module=run))
    process = children.children.pop().process
    assert isinstance(process, subprocess.Popen)
    assert process.wait(60) == 3


KILLED = """
import sys, time
from backgammon.demo.fork_server import ModuleRun
from backgammon.demo.supervisor import ProcessSpec, Supervisor
run = ModuleRun("tests.running.forked_program", ("sleep",))
with Supervisor() as children:
    with children.forking({}):
        children.start(ProcessSpec("child", run.command, module=run))
    print("pid", children.children[0].process.pid, flush=True)
    time.sleep(600)
"""


def test_a_fork_outlives_the_server_and_dies_with_the_supervisor(tmp_path: Path) -> None:
    supervisor = subprocess.Popen(
        [sys.executable, "-c", KILLED],
        cwd=ROOT, env=clean_environment(TABLERO_VAR=str(tmp_path)), stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert supervisor.stdout is not None
    child = psutil.Process(next(int(line.split()[1]) for line in supervisor.stdout if re.match("pid", line)))
    assert child.is_running()
    assert child.ppid() == supervisor.pid
    supervisor.kill()
    supervisor.wait()
    psutil.wait_procs([child], timeout=30)
    assert not child.is_running() or child.status() == psutil.STATUS_ZOMBIE
