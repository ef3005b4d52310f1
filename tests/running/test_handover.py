"""A supervisor replaces itself by a small program, with small children."""

from __future__ import annotations

import fcntl
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import psutil  # type: ignore[import-untyped]
import pytest

from tools.services.environment import ROOT, clean_environment

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="elsewhere the supervisor stays as it is")

PROGRAM = """
import fcntl, os, signal, sys
from pathlib import Path
from backgammon.demo import handover
from backgammon.demo.supervisor import ChildDied, ProcessSpec, Supervisor

script, sent = sys.argv[1], int(sys.argv[2])
lock = open("lock", "a")
fcntl.flock(lock, fcntl.LOCK_EX)
reading, writing = os.pipe()
os.write(writing, b"file")
with Supervisor(folder=Path(os.environ["CODE"]), backoff=0.01) as children:
    children.start(ProcessSpec("child", ("sh", "-c", script), env={"SECRET": "kept"}, pass_fds=(reading,), mute=("-",)))
    children.wait_for(lambda: os.path.exists("ready"), name="child", timeout=60)
    os.environ["FD"] = str(reading)
    if sent:
        signal.pthread_sigmask(signal.SIG_BLOCK, [sent])  # so that it comes while the process is replaced
        os.kill(os.getpid(), sent)
    handover.watch(children, stopped="The end.", keep=[lock.fileno()])
"""


STARTED: list[Handed] = []
MORE = "; echo ' line'; echo -; sleep 600"


class Handed:
    """A program that hands over, in a folder of its own."""

    def __init__(self, folder: Path, script: str, sent: int = 0) -> None:
        (folder / "program.py").write_text(PROGRAM)
        STARTED.append(self)
        self.process = subprocess.Popen(
            [sys.executable, "program.py", script, str(sent)],
            cwd=folder,
            env=clean_environment(PYTHONPATH=str(ROOT), CODE=str(ROOT)),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def small(self) -> psutil.Process:
        """The process, once it has become the small program."""
        process = psutil.Process(self.process.pid)
        while "backgammon.demo.handover" not in process.cmdline():
            assert self.process.poll() is None
        return process

    def line(self) -> str:
        assert self.process.stdout is not None
        return self.process.stdout.readline().rstrip()

    def stopped(self, number: int = signal.SIGTERM) -> tuple[list[str], int]:
        """Send a signal and return the last lines and the exit status."""
        self.process.send_signal(number)
        output, _ = self.process.communicate(timeout=60)
        return output.splitlines(), self.process.returncode


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    yield tmp_path
    while STARTED:
        STARTED.pop().process.kill()  # and the kernel its children


def test_children_lock_output_and_what_was_typed_stay(folder: Path) -> None:
    script = f"cd {folder}; echo begun $$; printf half; touch ready; while [ ! -e go ]; do sleep 0.01; done"
    handed = Handed(folder, script + MORE)
    child = psutil.Process(int(handed.line().split()[-1]))
    supervisor = handed.small()
    assert supervisor.cmdline()[-3:] == ["program.py", script + MORE, "0"]
    assert "kept" not in "".join(supervisor.cmdline())  # settings are not for everybody to see
    assert child.ppid() == supervisor.pid
    with (folder / "lock").open() as lock, pytest.raises(BlockingIOError):
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    (folder / "go").touch()
    assert handed.line() == "child  | half line"
    assert handed.stopped() == (["The end."], 0)
    assert not child.is_running() or child.status() == psutil.STATUS_ZOMBIE
    with (folder / "lock").open() as lock:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)


def test_a_child_starts_again_with_its_settings_and_files(folder: Path) -> None:
    again = f"cd {folder}; test -e ready && {{ echo $SECRET $(head -c4 <&$FD); exec sleep 600; }}"
    handed = Handed(folder, f"{again}; echo begun $$; touch ready; exec sleep 600")
    child = int(handed.line().split()[-1])
    handed.small()
    os.kill(child, signal.SIGKILL)
    assert handed.line() == "child  | ended unexpectedly (signal SIGKILL), starting again now"
    assert handed.line() == "child  | kept file"
    assert handed.stopped(signal.SIGINT) == (["The end."], 0)


def test_a_child_that_always_dies_ends_it_with_an_error(folder: Path) -> None:
    handed = Handed(folder, f"test -e {folder}/ready && exit 3; touch {folder}/ready; exec sleep 600")
    handed.small().children()[0].kill()
    output, error = handed.process.communicate(timeout=60)
    assert output.count("starting again") == 4
    assert error == "CommandError: child ended unexpectedly (exit 3), 5 times within a minute: giving up\n"
    assert handed.process.returncode == 1


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_that_comes_meanwhile_is_heeded(folder: Path, number: int) -> None:
    handed = Handed(folder, f"touch {folder}/ready; trap 'echo bye; exit' TERM; while :; do sleep 0.01; done", number)
    output, _ = handed.process.communicate(timeout=60)
    assert (output.splitlines(), handed.process.returncode) == (["child  | bye", "The end."], 0)


def test_it_dies_and_its_children_with_it(folder: Path) -> None:
    handed = Handed(folder, f"echo begun $$; touch {folder}/ready; exec sleep 600")
    child = psutil.Process(int(handed.line().split()[-1]))
    handed.small()
    handed.process.kill()
    handed.process.wait()
    psutil.wait_procs([child], timeout=30)
    assert not child.is_running() or child.status() == psutil.STATUS_ZOMBIE
