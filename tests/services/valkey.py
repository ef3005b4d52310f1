"""A broker of its own for a test process."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from backgammon.demo import broker
from backgammon.demo.leash import leashed


@contextmanager
def fresh(run_dir: Path) -> Iterator[str | None]:
    """The URL of a new broker on `run_dir/broker.sock`; None when this machine has none."""
    run_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
    try:
        found = broker.find({}, run_dir)
    except broker.NoBroker:
        yield None
        return
    assert found.command is not None
    server = subprocess.Popen(leashed(found.command), stdout=subprocess.DEVNULL, stdin=subprocess.DEVNULL)
    try:
        end = time.monotonic() + 60
        while not broker.is_up(found):
            if time.monotonic() > end or server.poll() is not None:
                raise RuntimeError(f"{found.name} did not start")
            time.sleep(0.02)
        yield found.url
    finally:
        server.kill()
        server.wait()
