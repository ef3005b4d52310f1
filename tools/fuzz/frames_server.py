"""``python -m tools.fuzz.frames_server ...``: daphne with unlimited socket credits.

A fuzzer would spend the usual credits in a second.
"""

from __future__ import annotations

import sys

import backgammon.asgi  # noqa: F401  (first, since it sets Django up)
from games.consumers import base

base.CREDITS = 10**9

if __name__ == "__main__":
    from daphne.cli import CommandLineInterface

    sys.argv[0] = "daphne"
    CommandLineInterface.entrypoint()
