"""A temporary broker for a test process."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from backgammon.demo import broker
from backgammon.demo.parent_watch import bound_to_parent


@contextmanager
def temporary_broker(run_dir: Path) -> Iterator[str | None]:
    """Run a broker on `run_dir/broker.sock` for the block and return its URL; None if this machine has none."""
    run_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
    try:
        found = broker.find({}, run_dir)
    except broker.NoBroker:
        yield None
        return
    assert found.command is not None
    server = subprocess.Popen(bound_to_parent(found.command), stdout=subprocess.DEVNULL, stdin=subprocess.DEVNULL)
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
