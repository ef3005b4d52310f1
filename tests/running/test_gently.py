"""The analysis yields the processor: by its own priority, and by that of the session that it is given."""

from __future__ import annotations

import io
import os
import shlex
import subprocess
import sys

import pytest

from backgammon.demo import gently, parts
from backgammon.demo.supervisor import Part, Supervisor

TELL = f"nice; grep -o 'nice .*' {gently.SESSION} 2>/dev/null || echo none"
CHILD_OF_A_CHILD = ("sh", "-c", f'sh -c "{TELL}"; echo end; sleep 600')


def weighs_sessions() -> bool:
    """Whether the kernel gives a new session a weight. (That of the tests can have none where others have one.)"""
    asked = subprocess.run(["sh", "-c", TELL], start_new_session=True, check=True, capture_output=True, text=True)
    return "nice" in asked.stdout.splitlines()[-1]


def said_by(command: tuple[str, ...]) -> tuple[str, str]:
    """The priority of what a supervised command computes in, and that of its session."""
    said = io.StringIO()
    with Supervisor(out=said) as children:
        children.start(Part("child", command))
        children.wait_for(lambda: "end" in said.getvalue(), what="child", timeout=20)
    own, its_session, *_ = (line.partition("| ")[2] for line in said.getvalue().splitlines())
    return own, its_session


def test_what_the_analysis_starts_yields_to_all_others() -> None:
    low = str(min(19, os.nice(0) + gently.NICE))
    assert said_by((*parts.GENTLY, *CHILD_OF_A_CHILD)) == (low, "nice 10" if weighs_sessions() else "none")


def test_the_others_do_not_yield() -> None:
    assert said_by(CHILD_OF_A_CHILD) == (str(os.nice(0)), "nice 0" if weighs_sessions() else "none")


@pytest.mark.skipif(not hasattr(os, "sched_getaffinity"), reason="only Linux can be told")
def test_what_is_started_gently_leaves_one_processor_to_the_others() -> None:
    tell = f"{shlex.join(parts.GENTLY)} {sys.executable} -c 'import os; print(*sorted(os.sched_getaffinity(0)))'"
    asked = subprocess.run(["sh", "-c", tell], check=True, capture_output=True, text=True)
    mine = sorted(os.sched_getaffinity(0))
    assert [int(each) for each in asked.stdout.split()] == (mine[1:] or mine)


@pytest.mark.skipif(not hasattr(os, "SCHED_IDLE"), reason="only Linux knows idle work")
def test_what_is_started_gently_is_idle_work() -> None:
    tell = f"{shlex.join(parts.GENTLY)} {sys.executable} -c 'import os; print(os.sched_getscheduler(0))'"
    asked = subprocess.run(["sh", "-c", tell], check=True, capture_output=True, text=True)
    assert int(asked.stdout) == os.SCHED_IDLE


def test_only_the_analysis_is_started_gently() -> None:
    gentle = [part.name for part in parts.worker_parts(env={}) if part.command[: len(parts.GENTLY)] == parts.GENTLY]
    assert gentle == ["analysis"]


def test_a_session_that_is_shared_is_left_alone() -> None:
    gentle_child = f"{shlex.join(parts.GENTLY)} true; {TELL}"
    asked = subprocess.run(
        ["sh", "-c", gentle_child], start_new_session=True, check=True, capture_output=True, text=True
    )
    assert asked.stdout.splitlines()[-1] == ("nice 0" if weighs_sessions() else "none")
