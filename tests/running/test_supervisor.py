"""The supervisor with small children: who is stopped, by what, and what is printed."""

from __future__ import annotations

import io
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import psutil  # type: ignore[import-untyped]
import pytest

from backgammon.demo.parent_watch import STOP_SIGNALS, is_stopping
from backgammon.demo.supervisor import ChildDied, ProcessSpec, Stopped, Supervisor
from tools.services.environment import HEEDING, ROOT

FOREVER = ("sleep", "600")


def alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


@pytest.fixture
def output() -> io.StringIO:
    return io.StringIO()


@pytest.fixture
def children(output: io.StringIO) -> Iterator[Supervisor]:
    with Supervisor(out=output) as supervisor:
        yield supervisor


@pytest.fixture
def hasty(output: io.StringIO) -> Iterator[Supervisor]:
    """A supervisor that waits a hundredth of the usual time before it starts a child again."""
    with Supervisor(out=output, backoff=0.01) as supervisor:
        yield supervisor


def test_an_end_before_all_is_started_raises(children: Supervisor) -> None:
    children.start(ProcessSpec("good", FOREVER))
    children.start(ProcessSpec("bad", ("sh", "-c", "exit 3")))
    with pytest.raises(ChildDied, match=r"^bad ended unexpectedly \(exit 3\)$"):
        children.wait_for(lambda: False, name="The server", timeout=60)


def test_a_child_that_ends_is_started_again(output: io.StringIO, hasty: Supervisor, tmp_path: Path) -> None:
    script = f"echo began; test -e {tmp_path}/again && exec sleep 600; touch {tmp_path}/again; kill -9 $$"
    hasty.start(ProcessSpec("good", FOREVER))
    hasty.start(ProcessSpec("bad", ("sh", "-c", script)))
    good = hasty.children[0].process.pid
    stop_when(lambda: output.getvalue().count("began") == 2)
    with pytest.raises(Stopped):
        hasty.watch()
    assert output.getvalue().splitlines() == [
        "bad    | began",
        "bad    | ended unexpectedly (signal SIGKILL), starting again now",
        "bad    | began",
    ]
    assert (hasty.children[0].process.pid, alive(good)) == (good, True)


def test_the_children_of_a_dead_child_end_before_it_starts_again(
    output: io.StringIO, hasty: Supervisor, tmp_path: Path
) -> None:
    script = f"test -e {tmp_path}/left && {{ echo again; exec sleep 600; }}; sleep 600 & echo $! > {tmp_path}/left"
    hasty.start(ProcessSpec("bad", ("sh", "-c", script)))
    stop_when(lambda: "again" in output.getvalue())
    with pytest.raises(Stopped):
        hasty.watch()
    left = int((tmp_path / "left").read_text())
    assert becomes_true(lambda: not alive(left))


def test_five_deaths_within_a_minute_end_all(output: io.StringIO, hasty: Supervisor) -> None:
    hasty.start(ProcessSpec("bad", ("sh", "-c", "sleep 0.05; exit 3")))
    with pytest.raises(ChildDied, match=r"^bad ended unexpectedly \(exit 3\), 5 times within a minute: giving up$"):
        hasty.watch()
    assert output.getvalue().count("starting again") == 4


def test_each_death_doubles_the_wait(output: io.StringIO) -> None:
    with Supervisor(out=output, backoff=60) as children:
        children.start(ProcessSpec("bad", ("sh", "-c", "sleep 0.05; exit 3")))
        stop_when(lambda: output.getvalue().count("starting again") == 2)
        with pytest.raises(Stopped):
            children.watch()
    assert [line.split(", ")[1] for line in output.getvalue().splitlines()] == [
        "starting again now",
        "starting again in 60 s",
    ]


def test_a_child_without_grace_is_killed_at_once_and_nothing_is_said(output: io.StringIO, children: Supervisor) -> None:
    children.start(ProcessSpec("deaf", ("sh", "-c", "trap '' TERM; echo ready; sleep 600; sleep 600"), grace=0))
    children.wait_for(lambda: "ready" in output.getvalue(), name="child", timeout=60)
    children.stop()
    assert output.getvalue() == "deaf   | ready\n"


def stop_when(true: Callable[[], bool]) -> None:
    """Send this process SIGTERM as soon as a condition is true."""

    def wait() -> None:
        if becomes_true(true):
            os.kill(os.getpid(), signal.SIGTERM)

    threading.Thread(target=wait, daemon=True).start()


def test_children_stop_in_reverse_order_and_one_stage_together(output: io.StringIO, children: Supervisor) -> None:
    for name, stage in (("first", 0), ("second", 1), ("third", 1), ("fourth", 2)):
        script = f"trap 'echo bye {name}; exit' TERM; echo ready; while :; do sleep 0.01; done"
        children.start(ProcessSpec(name, ("sh", "-c", script), stage=stage))
    children.wait_for(lambda: output.getvalue().count("ready") == 4, name="children", timeout=60)
    children.stop()
    byes = [line.split()[-1] for line in output.getvalue().splitlines() if "bye" in line]
    assert (byes[0], set(byes[1:3]), byes[3]) == ("fourth", {"second", "third"}, "first")


def test_a_child_that_does_not_stop_is_killed_with_its_children(
    output: io.StringIO, children: Supervisor, tmp_path: Path
) -> None:
    script = f"trap '' TERM; sleep 600 & echo $! > {tmp_path}/grandchild; echo ready; wait; wait"
    children.start(ProcessSpec("deaf", ("sh", "-c", script), grace=0.3))
    children.wait_for(lambda: "ready" in output.getvalue(), name="child", timeout=60)
    grandchild = int((tmp_path / "grandchild").read_text())
    assert alive(grandchild)
    begin = time.monotonic()
    children.stop()
    assert time.monotonic() - begin < 60  # its sleep takes ten minutes
    assert "deaf   | did not stop within 0 s: killed" in output.getvalue()
    assert becomes_true(lambda: not alive(grandchild))


def test_lines_are_prefixed_muted_and_have_no_urls(output: io.StringIO, children: Supervisor) -> None:
    script = "echo 'see http://127.0.0.1:8000/x'; echo noise; echo err >&2; echo end; sleep 600"
    children.start(ProcessSpec("web", ("sh", "-c", script), mute=("noise",)))
    children.wait_for(lambda: "end" in output.getvalue(), name="child", timeout=60)
    assert output.getvalue().splitlines() == [f"web    | {text}" for text in ("see 127.0.0.1:8000/x", "err", "end")]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_stops_the_supervisor(children: Supervisor, number: int) -> None:
    children.start(ProcessSpec("good", FOREVER))
    os.kill(os.getpid(), number)
    with pytest.raises(Stopped):
        children.watch()


def test_a_process_that_does_not_start_is_named(children: Supervisor) -> None:
    with pytest.raises(TimeoutError, match="The server did not start within 0 s"):
        children.wait_for(lambda: False, name="The server", timeout=0.1)


def test_children_do_not_inherit_ignored_signals(output: io.StringIO, children: Supervisor) -> None:
    old = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        children.start(ProcessSpec("child", ("sh", "-c", "grep SigIgn /proc/$$/status; sleep 600")))
        children.wait_for(lambda: "SigIgn" in output.getvalue(), name="child", timeout=60)
    finally:
        signal.signal(signal.SIGINT, old)
    ignored = int(output.getvalue().split()[-1], 16)
    assert not ignored >> (signal.SIGINT - 1) & 1


def becomes_true(condition: Callable[[], bool]) -> bool:
    """Whether a condition becomes true within some seconds."""
    end = time.monotonic() + 60
    while not (true := condition()) and time.monotonic() < end:
        time.sleep(0.02)
    return true


def test_a_process_in_its_signal_handler_is_stopping(tmp_path: Path) -> None:
    makefile = tmp_path / "Makefile"
    makefile.write_text("wait:\n\t@exec sleep 600\n")
    make = subprocess.Popen([*HEEDING, "make", "-f", str(makefile), "wait"], start_new_session=True)
    try:
        assert becomes_true(lambda: bool(psutil.Process(make.pid).children()))
        assert not is_stopping(make.pid)
        make.send_signal(signal.SIGINT)
        assert becomes_true(lambda: is_stopping(make.pid))
    finally:
        os.killpg(make.pid, signal.SIGKILL)
        make.wait()


def test_a_make_that_starts_its_recipe_is_not_stopping() -> None:
    """It blocks all signals until the recipe has been started."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, STOP_SIGNALS)
    try:
        assert not is_stopping(os.getpid())
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


UNDER_MAKE = """
import os
from backgammon.demo.supervisor import ProcessSpec, Stopped, Supervisor
with Supervisor(parent=os.getppid()) as children:
    children.start(ProcessSpec("child", ("sh", "-c", "echo pid $$; exec sleep 600")))
    try:
        children.watch()
    except Stopped:
        children.print_line("Stopped.")
"""


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGKILL])
def test_a_supervisor_under_make_stops_when_only_make_gets_the_signal(tmp_path: Path, number: int) -> None:
    makefile = tmp_path / "Makefile"
    makefile.write_text(f"run:\n\t@exec {sys.executable} {tmp_path}/run.py\n")
    (tmp_path / "run.py").write_text(UNDER_MAKE)
    make = subprocess.Popen(
        [*HEEDING, "make", "-f", str(makefile), "run"],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    try:
        assert make.stdout is not None
        child = int(make.stdout.readline().split()[-1])
        os.kill(make.pid, number)
        assert "Stopped." in make.stdout.read().splitlines()  # until the last process has closed it
        assert becomes_true(lambda: not alive(child))
    finally:
        with suppress(ProcessLookupError):
            os.killpg(make.pid, signal.SIGKILL)
        make.wait()
