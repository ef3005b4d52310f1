"""Analysis workers run at idle priority: by their own nice value and by that of their session."""

from __future__ import annotations

import io
import os
import shlex
import subprocess
import sys

import pytest

from backgammon.demo import idle_priority, processes
from backgammon.demo.supervisor import ProcessSpec, Supervisor

PRINT_PRIORITIES = f"nice; grep -o 'nice .*' {idle_priority.SESSION} 2>/dev/null || echo none"
CHILD_OF_A_CHILD = ("sh", "-c", f'sh -c "{PRINT_PRIORITIES}"; echo end; sleep 600')


def weighs_sessions() -> bool:
    """Whether the kernel weighs new sessions (that of the tests may have no weight where others do)."""
    asked = subprocess.run(
        ["sh", "-c", PRINT_PRIORITIES], start_new_session=True, check=True, capture_output=True, text=True
    )
    return "nice" in asked.stdout.splitlines()[-1]


def priorities_of(command: tuple[str, ...]) -> tuple[str, str]:
    """Return the priority of a supervised command, and that of its session."""
    output = io.StringIO()
    with Supervisor(out=output) as children:
        children.start(ProcessSpec("child", command))
        children.wait_for(lambda: "end" in output.getvalue(), name="child", timeout=60)
    own, its_session, *_ = (line.partition("| ")[2] for line in output.getvalue().splitlines())
    return own, its_session


def test_children_of_the_analysis_have_idle_priority() -> None:
    low = str(min(19, os.nice(0) + idle_priority.NICE))
    assert priorities_of((*idle_priority.PREFIX, *CHILD_OF_A_CHILD)) == (
        low,
        "nice 10" if weighs_sessions() else "none",
    )


def test_a_site_may_give_the_analysis_the_usual_priority() -> None:
    *_, idle, _ = processes.worker_processes(env={})
    *_, usual, _ = processes.worker_processes(env={}, idle_analysis=False)
    assert idle.command == (*idle_priority.PREFIX, *usual.command)


def test_other_processes_keep_their_priority() -> None:
    assert priorities_of(CHILD_OF_A_CHILD) == (str(os.nice(0)), "nice 0" if weighs_sessions() else "none")


@pytest.mark.skipif(not hasattr(os, "sched_getaffinity"), reason="only Linux can be told")
def test_idle_processes_leave_one_processor_free() -> None:
    command = (
        f"{shlex.join(idle_priority.PREFIX)} {sys.executable} -c 'import os; print(*sorted(os.sched_getaffinity(0)))'"
    )
    asked = subprocess.run(["sh", "-c", command], check=True, capture_output=True, text=True)
    processors = sorted(os.sched_getaffinity(0))
    assert [int(each) for each in asked.stdout.split()] == (processors[1:] or processors)


@pytest.mark.skipif(not hasattr(os, "SCHED_IDLE"), reason="only Linux knows idle work")
def test_idle_processes_use_the_idle_scheduler() -> None:
    command = f"{shlex.join(idle_priority.PREFIX)} {sys.executable} -c 'import os; print(os.sched_getscheduler(0))'"
    asked = subprocess.run(["sh", "-c", command], check=True, capture_output=True, text=True)
    assert int(asked.stdout) == os.SCHED_IDLE


def test_only_the_analysis_has_idle_priority() -> None:
    low_priority = [
        part.name
        for part in processes.worker_processes(env={})
        if part.command[: len(idle_priority.PREFIX)] == idle_priority.PREFIX
    ]
    assert low_priority == ["analysis"]


def test_a_shared_session_keeps_its_priority() -> None:
    low_priority_child = f"{shlex.join(idle_priority.PREFIX)} true; {PRINT_PRIORITIES}"
    asked = subprocess.run(
        ["sh", "-c", low_priority_child], start_new_session=True, check=True, capture_output=True, text=True
    )
    assert asked.stdout.splitlines()[-1] == ("nice 0" if weighs_sessions() else "none")
