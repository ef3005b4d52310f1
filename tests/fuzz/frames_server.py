"""``python -m tests.fuzz.frames_server ...``: daphne as it is, but for the credits of a socket.

A fuzzer would use them up in a second.
"""

from __future__ import annotations

import sys

import backgammon.asgi  # noqa: F401  (before anything of games: it prepares Django)
from games.consumers import base

base.CREDITS = 10**9

if __name__ == "__main__":
    from daphne.cli import CommandLineInterface

    sys.argv[0] = "daphne"
    CommandLineInterface.entrypoint()
