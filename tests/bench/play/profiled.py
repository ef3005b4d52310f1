"""daphne under cProfile, all of its threads: `python -m tests.bench.play.profiled FILE [daphne's arguments]`.

Counted is the time that the processor worked for a thread, from when the server runs: who waits takes none.
"""

from __future__ import annotations

import cProfile
import io
import pstats
import signal
import sys
import threading
import time
from typing import Any

from daphne.cli import CommandLineInterface
from twisted.internet import reactor

TOP = 25


def main() -> None:
    """Run until TERM, then leave the statistics of all threads in FILE."""
    profiles: list[cProfile.Profile] = []

    def begin(*_: Any) -> None:
        """The first call in a new thread: from here on its own profile listens."""
        sys.setprofile(None)
        profiles.append(cProfile.Profile(time.thread_time))
        profiles[-1].enable()

    path = sys.argv[1]
    threading.setprofile(begin)
    reactor.callWhenRunning(begin)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    try:
        CommandLineInterface().run(sys.argv[2:])
    finally:
        for profile in profiles:
            profile.create_stats()
        together = pstats.Stats(profiles[0])
        for profile in profiles[1:]:
            together.add(profile)
        together.dump_stats(path)


def top(path: str) -> str:
    """The functions that took most of the time themselves."""
    said = io.StringIO()
    pstats.Stats(path, stream=said).sort_stats("tottime").print_stats(TOP)
    return said.getvalue()


if __name__ == "__main__":
    main()
