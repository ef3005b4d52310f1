"""daphne under cProfile with all threads: `python -m tools.bench.play.profiled_daphne FILE [daphne's arguments]`.

It counts the processor time of each thread from when the server runs: waiting takes none.
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
    """Run until TERM, then write the statistics of all threads to FILE."""
    profiles: list[cProfile.Profile] = []

    def begin(*_: Any) -> None:
        """Start the profile of a new thread at its first call."""
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
    """Return the functions with the most time of their own."""
    text = io.StringIO()
    pstats.Stats(path, stream=text).sort_stats("tottime").print_stats(TOP)
    return text.getvalue()


if __name__ == "__main__":
    main()
