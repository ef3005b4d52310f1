"""The sockets, by URL and kind of frame: what each actor gets. `OPEN` stands for connecting without a frame.

The letters are those of the other areas; D: it was acknowledged; H, R, L: refused, or put out with 4404, 4403, 4401.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from tests.access.world import ACTORS

OPEN: dict[str, Any] = {}
SOCKET_ACTORS = (*ACTORS, "bot", "program", "reader")


class Sent(NamedTuple):
    """One frame at one socket."""

    path: str
    frame: dict[str, Any]
    gets: str
    writes: str = ""  # why it may write without an `ack`

    @property
    def letters(self) -> str:
        return self.gets.replace(" ", "")

    def __str__(self) -> str:
        return f"{self.path} {self.frame or 'open'}"


ELEMENT = "0" * 64
TABLE = "/ws/match/{table}/"
ROWS: tuple[Sent, ...] = (
    Sent(TABLE, OPEN, "VV VVVR VVVV RRR"),
    Sent("/ws/match/{called}/", OPEN, "HH VVHH HHHH RRR"),
    Sent("/ws/match/{over}/", OPEN, "VV VVVV VVVV RRR"),
    Sent(TABLE, {"t": "act", "id": "s-1", "action": "8/5 6/5"}, "RR DRRR RRRR RRR"),
    Sent(TABLE, {"t": "act", "id": "s-2", "action": "resign 1"}, "RR DDRR RRRR RRR"),
    Sent(TABLE, {"t": "act", "id": "s-3", "action": "dice 66"}, "RR RRRR RRRR RRR"),
    Sent(TABLE, {"t": "claim", "id": "s-4"}, "RR RRRR RRRR RRR"),
    Sent(TABLE, {"t": "adjourn", "id": "s-5"}, "RR RRRR RRRR RRR"),
    Sent("/ws/match/{adjourned}/", {"t": "go-on", "id": "s-6"}, "RR DDRR RRRR RRR"),
    Sent(TABLE, {"t": "dice", "id": "s-7", "c": ELEMENT}, "RR RRRR RRRR RRR"),
    Sent("/ws/match/{corr}/", {"t": "order", "id": "s-8", "order": "forced on"}, "RR DDRR RRRR RRR"),
    Sent(TABLE, {"t": "sync", "after": 0}, "VV VVVR VVVV RRR"),
    Sent(TABLE, {"t": "why", "id": "s-9", "path": "", "attempt": "13/7"}, "RR VRRR RRRR RRR"),
    Sent(TABLE, {"t": "ping"}, "VV VVVR VVVV RRR"),
    Sent(TABLE, {"t": "lag", "stamp": 1}, "VV VVVR VVVV RRR"),
    Sent(TABLE, {"t": "nonsense"}, "RR RRRR RRRR RRR"),
    Sent("/ws/talk/{table}/", OPEN, "VV VVVH VVVV RRR"),
    Sent("/ws/talk/{table}/", {"t": "say", "id": "s-10", "text": "Good roll"}, "RR RDDH DDDD RRR"),
    Sent("/ws/talk/{table}/", {"t": "ping"}, "VV VVVH VVVV RRR"),
    Sent("/ws/lobby/", OPEN, "VV VVVV VVVV RRR"),
    Sent("/ws/lobby/", {"t": "ping"}, "VV VVVV VVVV RRR"),
    Sent("/ws/wall/?ids={table}", OPEN, "VV VVVV VVVV RRR"),
    Sent("/ws/wall/", {"t": "ping"}, "VV VVVV VVVV RRR"),
    Sent("/ws/wall/", {"t": "again", "ids": ["{table}"]}, "VV VVVV VVVV RRR"),
    Sent("/ws/wall/", {"t": "show", "ids": ["{table}"]}, "VV VVVV VVVV RRR"),
    Sent("/ws/tournaments/{cup}/", OPEN, "VV VVVV VVVV RRR"),
    Sent("/ws/tournaments/{cup}/", {"t": "ping"}, "VV VVVV VVVV RRR"),
    Sent("/ws/bot/", OPEN, "LL LLLL LLLL VLL"),
    Sent("/ws/bot/", {"t": "ping"}, "LL LLLL LLLL VLL"),
    Sent("/ws/events/", {"t": "ping"}, "LL LLLL LLLL VVL"),
    Sent("/ws/events/", {"t": "listen", "subjects": [], "kinds": []}, "LL LLLL LLLL VVL", writes="an ear is kept open"),
    Sent("/ws/events/", {"t": "auth", "token": "nobody's"}, "LL LLLL LLLL RRL"),
    Sent("/ws/nowhere/", OPEN, "HH HHHH HHHH RRR"),
)
