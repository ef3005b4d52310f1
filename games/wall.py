"""Which live matches are worth watching, and how little of each a screen of many boards has to be told. Pure.

Seconds and monotonic moments are passed in. What is chosen stays chosen for a while, so that no screen jumps.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Generic, TypeVar

from games.engine import Json

T = TypeVar("T")

MOST = 16
"""Boards on one wall."""
QUEUE = 6
"""Boards beside the large one on television."""
FRESH = 60.0
"""Seconds without an action after which a match counts as standing still."""
STAY = 60.0
"""Seconds that television stays with a match that goes on, whatever happens elsewhere."""
MARGIN = 120.0
"""Points by which another match of the same kind has to be better before television leaves the one it shows."""
RESULT = 8.0
"""Seconds that television shows how a match ended."""
KEPT = 20.0
"""Seconds that a wall keeps a board that has ended."""
SLACK = 8
"""Places beyond the last one to which a shown board may fall before it has to go."""
GAP = 0.5
"""Seconds between two frames of one board: at most two a second."""

USUAL_RATING = 1500.0
LONGEST = 25  # points; a longer match is worth no more
SESSION = 3  # what a money session counts as
MOST_WATCHED = 8  # spectators; more are worth no more

BOARD = ("family", "phase", "turn", "board", "pips", "dice", "cube", "colours", "countdown", "outcome")
"""What a spectator sees of a position: never a tree, nor anything that is asked of one seat alone."""


@dataclass(frozen=True, slots=True)
class Facts:
    """What the choice knows of a live match: `idle` are the seconds since its last action, `ratings` those known."""

    match_id: str
    live: bool = True  # at the table, not by correspondence
    humans: int = 2
    ratings: tuple[float, ...] = ()
    length: int = 5  # 0: a money session
    points: float = 0.0  # of both together
    idle: float = 0.0
    spectators: int = 0

    @property
    def fresh(self) -> bool:
        return self.idle <= FRESH


Rank = tuple[int, float]


def rank(facts: Facts) -> Rank:
    """How much a match is worth watching: first its kind, then points among those of one kind.

    Kind: played at the table before correspondence; acted in within the last minute before standing still; two people
    before a person and a computer before two computers. Points: half of what the mean rating is above 1500 (±250), 40
    times the binary logarithm of its length (a match to 5 has 103, to 11 143), up to 100 for how far on it is, and 25
    for each spectator up to eight. Who stands still loses a point a second.
    """
    kind = 100 * facts.live + 10 * facts.fresh + facts.humans
    strength = (sum(facts.ratings) / len(facts.ratings) - USUAL_RATING) / 2 if facts.ratings else 0.0
    length = min(facts.length or SESSION, LONGEST)
    farthest = 2 * length - 1  # points that both can have before the last one
    points = max(-250.0, min(250.0, strength))
    points += 40 * math.log2(1 + length)
    points += 100 * min(1.0, facts.points / farthest)
    points += 25 * min(facts.spectators, MOST_WATCHED)
    points -= max(0.0, facts.idle - FRESH)
    return kind, points


def ranked(matches: Iterable[Facts], *, watched: Mapping[str, int] | None = None) -> list[Facts]:
    """The best first; `watched` are the spectators of each match. Equals keep one order, by their ids."""
    seen = watched or {}
    told = [replace(one, spectators=seen.get(one.match_id, one.spectators)) for one in matches]
    return sorted(told, key=lambda one: (*(-part for part in rank(one)), one.match_id))


@dataclass(frozen=True, slots=True)
class Channel:
    """What television shows, and since which moment."""

    match_id: str
    since: float


def follow(
    channel: Channel | None, best: Sequence[Facts], *, moment: float, ended: Mapping[str, float] | None = None
) -> Channel | None:
    """What to show now, of matches whose best is the first; `ended` are the moments when matches ended.

    A match that goes on stays for `STAY` seconds, and after that until one of a better kind, or one that is better by
    `MARGIN`, is there. One that ended shows its result for `RESULT` seconds; one that stands still leaves at once.
    """
    first = best[0] if best else None
    if channel is None:
        return None if first is None else Channel(first.match_id, moment)
    over = (ended or {}).get(channel.match_id)
    if over is not None:
        if moment - over < RESULT or first is None:
            return channel
        return Channel(first.match_id, moment)
    here = next((one for one in best if one.match_id == channel.match_id), None)
    if first is None:
        return None
    if here is None:
        return Channel(first.match_id, moment)
    if here is first or (here.fresh and moment - channel.since < STAY):
        return channel
    (kind, points), (better, more) = rank(here), rank(first)
    return Channel(first.match_id, moment) if better > kind or more > points + MARGIN else channel


def places(shown: Sequence[str], best: Sequence[str], *, kept: Collection[str] = (), most: int = MOST) -> list[str]:
    """The boards of a wall: who is shown stays in his place, who went is replaced there by the best that is not shown.

    `kept` ended a moment ago and stay with their result. A shown one goes when it is no longer among the first
    `most + SLACK`.
    """
    good = set(best[: most + SLACK]) | set(kept)
    stay = [one if one in good else None for one in shown[:most]]
    waiting = iter([one for one in best if one not in stay])
    filled = [one or next(waiting, None) for one in stay]
    filled += [next(waiting, None) for _ in range(most - len(filled))]
    return [one for one in filled if one is not None]


def board(event: Json) -> Json:
    """An event of a match (`games.events`) as a wall is told of it: what any spectator sees, no more than is drawn."""
    match, position = event["match"], event["position"]
    return {
        "id": match["id"],
        "version": event["version"],
        "status": match["status"],
        "game": match["game"],
        "score": match["score"],
        "result": match["result"],
        "position": position and {key: position[key] for key in BOARD if key in position},
        "clock": event["clock"],
        "paused": event["paused"],
        "offer": event["offer"],
        "last": event["last"],
        "ended": event["ended"],
    }


@dataclass
class Pace(Generic[T]):
    """Lets one thing of a key pass every `gap` seconds; of those that came meanwhile the last one wins."""

    gap: float = GAP
    _waiting: dict[str, T] = field(default_factory=dict)
    _passed: dict[str, float] = field(default_factory=dict)

    def offer(self, key: str, thing: T) -> None:
        self._waiting[key] = thing

    def due(self, moment: float) -> list[T]:
        """What may pass now, and is gone from here."""
        ready = [key for key in self._waiting if self._opens(key) <= moment]
        self._passed.update(dict.fromkeys(ready, moment))
        return [self._waiting.pop(key) for key in ready]

    def wait(self, moment: float) -> float | None:
        """Seconds until the next thing may pass; None while nothing waits."""
        opens = [self._opens(key) for key in self._waiting]
        return max(0.0, min(opens) - moment) if opens else None

    def forget(self, key: str) -> None:
        self._waiting.pop(key, None)
        self._passed.pop(key, None)

    def _opens(self, key: str) -> float:
        return self._passed.get(key, -math.inf) + self.gap
