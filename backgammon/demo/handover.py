"""Watch the children of a site with a small program, once the site has started (Linux only).

    python -S -m backgammon.demo.handover FD ...

Whoever prepares a site imports all of Django and needs some 90 MB; whoever watches its processes needs a tenth of
that. So the supervisor replaces itself by this program, in the same process: its children, its lock and its listening
socket stay, signals wait meanwhile, and no line of a child is lost. What it knows of them comes in the file FD, for
their settings may be secret. The command as it was typed stands behind, for those who look for it.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import tempfile
from collections.abc import Iterable, Mapping
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from backgammon.demo.fork_server import ForkedProcess
from backgammon.demo.parent_watch import STOP_SIGNALS
from backgammon.demo.supervisor import Child, ChildDied, Output, ProcessSpec, Stopped, Supervisor

MODULE = "backgammon.demo.handover"


def watch(children: Supervisor, *, stopped: str, keep: Iterable[int] = ()) -> None:
    """Watch the children like `Supervisor.watch`, in a small program where the system can: then it does not return.

    `stopped` is the line that is printed after a signal. The files `keep` stay open.
    """
    if sys.platform == "linux" and children.folder is not None:
        with children.silence():
            before = signal.pthread_sigmask(signal.SIG_BLOCK, STOP_SIGNALS)
            try:
                _replace(children, children.folder, stopped, keep)
            except OSError as error:  # no memory or no files left: what runs goes on
                children.print_line(f"The supervisor stays as it is: {error}")
            finally:
                signal.pthread_sigmask(signal.SIG_SETMASK, before)
    children.watch()


def _replace(children: Supervisor, folder: Path, stopped: str, keep: Iterable[int]) -> None:
    """Become the small program. Raises OSError. A signal that came before is left to the caller."""
    if children.signal is not None:
        return
    with tempfile.TemporaryFile("w+") as file:
        json.dump({"stopped": stopped, **_facts(children)}, file)
        file.flush()
        file.seek(0)
        ours = {file.fileno(), *keep}
        for child in children.children:
            ours |= {child.output.pipe, *child.part.pass_fds}
        for number in ours:
            os.set_inheritable(number, True)
        typed = sys.orig_argv[1:]
        os.chdir(folder)
        os.execv(sys.executable, [sys.executable, "-S", "-m", MODULE, str(file.fileno()), *typed])  # noqa: S606


def _facts(children: Supervisor) -> dict[str, Any]:
    """What the small program must know of a supervisor."""
    return {
        "parent": children.parent,
        "backoff": children.backoff,
        "folder": str(children.folder),
        "children": [
            {
                "part": asdict(replace(child.part, module=None)),  # there is no fork server any more
                "pid": child.process.pid,
                "pipe": child.output.pipe,
                "begun_line": child.output.begun_line.decode("latin-1"),  # any bytes
            }
            for child in children.children
        ],
    }


def resumed(facts: Mapping[str, Any]) -> Supervisor:
    """The supervisor that `facts` describe, which has the same children."""
    supervisor = Supervisor(parent=facts["parent"], backoff=facts["backoff"], folder=Path(facts["folder"]))
    for known in facts["children"]:
        part: Any = {name: tuple(fact) if isinstance(fact, list) else fact for name, fact in known["part"].items()}
        output = Output(known["pipe"], known["begun_line"].encode("latin-1"))
        supervisor.adopt(Child(ProcessSpec(**part), ForkedProcess(known["pid"]), output))
    return supervisor


def main(number: int) -> int:
    """Watch until a signal comes, and stop the children. Returns the exit status."""
    with os.fdopen(number) as file:
        facts = json.load(file)
    try:
        with resumed(facts) as children:
            signal.pthread_sigmask(signal.SIG_UNBLOCK, STOP_SIGNALS)
            children.watch()
    except Stopped:
        children.print_line(facts["stopped"])
    except ChildDied as error:
        print(f"CommandError: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1])))
