"""The web process without the receivers that handle the end of a match.

It behaves like a process that is killed right after the commit of the last move.
"""

from backgammon.asgi import application
from games.signals import match_finished
from tournaments.receivers import record_match_result

assert match_finished.disconnect(record_match_result)

__all__ = ["application"]
