"""Measure `make run` from a fresh clone to the first page, in parts, and its second start.

    python -m tools.bench.start

Clones the commit that is checked out into a temporary folder, so a change counts when it is committed. Each part has
its seconds of wall time, and of processor time over all processes, which other work on the machine hardly changes.
"""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil  # type: ignore[import-untyped]

from tools.services.environment import ROOT, clean_environment

URL = re.compile(r"http://\S+")
TIMEOUT = 600.0


def processor_time(root: psutil.Process) -> float:
    """The processor time of a process, its descendants, and those that they have waited for."""
    total = 0.0
    for process in [root, *root.children(recursive=True)]:
        try:
            times = process.cpu_times()
        except psutil.NoSuchProcess:
            continue
        total += times.user + times.system + times.children_user + times.children_system
    return total


@contextmanager
def part(name: str) -> Iterator[None]:
    """Print what the block took."""
    this = psutil.Process()
    began, used = time.monotonic(), processor_time(this)
    yield
    print(f"{name:34} {time.monotonic() - began:6.1f} s {processor_time(this) - used:8.1f} s", flush=True)


def make(clone: Path, *targets: str) -> subprocess.Popen[str]:
    command = ["make", "--no-print-directory", f"PYTHON={base_python()}", *targets]
    env = {**clean_environment(), "PYTHONUNBUFFERED": "1"}
    env.pop("VIRTUAL_ENV", None)
    return subprocess.Popen(
        command, cwd=clone, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, start_new_session=True
    )


def base_python() -> str:
    """The interpreter from which the virtual environment was made."""
    return os.path.realpath(sys.executable)


def done(process: subprocess.Popen[str]) -> None:
    output, _ = process.communicate(timeout=TIMEOUT)
    if process.returncode != 0:
        raise SystemExit(output)


def start(clone: Path) -> tuple[subprocess.Popen[str], str]:
    """Run `make run` until its first page is there; prints what it says about its steps."""
    process = make(clone, "run", "PORT=0")
    assert process.stdout is not None
    for line in process.stdout:
        if line.startswith("Prepared"):
            print(f"    {line.strip()}", flush=True)
        if found := URL.search(line):
            with urllib.request.urlopen(found.group(), timeout=TIMEOUT) as page:  # noqa: S310
                page.read()
            return process, found.group()
    raise SystemExit("the site did not start")


def stop(process: subprocess.Popen[str]) -> None:
    os.killpg(process.pid, signal.SIGINT)  # Ctrl-C: make and the supervisor get it
    process.communicate(timeout=60)


def main() -> None:
    with tempfile.TemporaryDirectory(prefix="tablero-", ignore_cleanup_errors=True) as folder:
        clone = Path(folder) / "clone"
        subprocess.run(["git", "clone", "--quiet", "--local", str(ROOT), str(clone)], check=True)
        print(f"{'part':34} {'wall':>8} {'processor':>10}")
        began = time.monotonic()
        with part("virtual environment"):
            done(make(clone, ".venv/bin/python"))
        with part("installing"):
            done(make(clone, ".venv/.base-installed"))
        with part("first start to the first page"):
            process, _ = start(clone)
        print(f"{'fresh clone to the first page':34} {time.monotonic() - began:6.1f} s", flush=True)
        with part("stop"):
            stop(process)
        with part("second start to the first page"):
            process, _ = start(clone)
        with part("stop"):
            stop(process)


if __name__ == "__main__":
    main()
