"""The site's web process, but the end of a match is announced to nobody in it.

So it is with a process that is killed right after the commit of the last move; only that this one can be had at will.
"""

from backgammon.asgi import application
from games.signals import match_finished
from tournaments.receivers import take_result

assert match_finished.disconnect(take_result)

__all__ = ["application"]
