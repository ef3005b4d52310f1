"""The analysis yields the processor: by its own priority, and by that of the session that it is given."""

from __future__ import annotations

import io
import os
import subprocess
import sys

from backgammon.demo import gently, parts
from backgammon.demo.supervisor import Part, Supervisor

TELL = f"nice; grep -o 'nice .*' {gently.SESSION} 2>/dev/null || echo none"
CHILD_OF_A_CHILD = ("sh", "-c", f'sh -c "{TELL}"; echo end; sleep 600')


def session() -> str:
    """What the kernel says of this session's weight: "none" where it weighs no sessions."""
    text = gently.SESSION.read_text() if gently.SESSION.exists() else ""
    return text[text.find("nice") :].strip() if text else "none"


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
    assert said_by((*parts.GENTLY, *CHILD_OF_A_CHILD)) == (low, "none" if session() == "none" else "nice 10")


def test_the_others_do_not_yield() -> None:
    assert said_by(CHILD_OF_A_CHILD) == (str(os.nice(0)), "none" if session() == "none" else "nice 0")


def test_only_the_analysis_is_started_gently() -> None:
    gentle = [part.name for part in parts.worker_parts(env={}) if part.command[: len(parts.GENTLY)] == parts.GENTLY]
    assert gentle == ["analysis"]


def test_a_session_that_is_shared_is_left_alone() -> None:
    before = session()
    subprocess.run([*parts.GENTLY, sys.executable, "-c", ""], check=True)
    assert session() == before
