"""Which live matches are worth watching, and the little that a screen of many boards needs of each. Pure.

Seconds and monotonic moments are passed in. What is chosen stays chosen for a while, so that no screen jumps.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Generic, TypeVar

from games.engine import Json

T = TypeVar("T")

MAX_BOARDS = 16
"""Boards on one screen."""
TV_QUEUE = 6
"""Boards beside the large one on television."""
FRESH_SECONDS = 60.0
"""Seconds without an action after which a match counts as standing still."""
TV_STAY_SECONDS = 60.0
"""Seconds that television stays with a live match, whatever happens elsewhere."""
TV_MARGIN = 120.0
"""Points by which another match of the same kind has to be better before television switches to it."""
TV_RESULT_SECONDS = 8.0
"""Seconds that television shows how a match ended."""
ENDED_BOARD_SECONDS = 20.0
"""Seconds that a screen shows a board that has ended."""
RANK_SLACK = 8
"""Places beyond the last one to which a shown board may fall before it has to go."""
FRAME_GAP_SECONDS = 0.5
"""Seconds between two frames of one board: at most two a second."""

USUAL_RATING = 1500.0
LONGEST = 25  # points; a longer match is worth no more
SESSION = 3  # the length that a money session counts as
MOST_WATCHED = 8  # spectators; more are worth no more

POSITION_KEYS = ("family", "phase", "turn", "board", "pips", "dice", "cube", "colours", "countdown", "outcome")
"""The parts of a position that a spectator sees: never a tree, nor anything for one seat alone."""


@dataclass(frozen=True, slots=True)
class MatchInterest:
    """What the choice is based on: `idle` are the seconds since the last action, `ratings` those known."""

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
        return self.idle <= FRESH_SECONDS


Rank = tuple[int, float]


def rank(facts: MatchInterest) -> Rank:
    """How much a match is worth watching: first its kind, then points among those of one kind.

    Kind: played at the table before correspondence; acted in within the last minute before standing still; two people
    before a person and a computer before two computers. Points: half of what the mean rating is above 1500 (±250), 40
    times the binary logarithm of its length (a match to 5 has 103, to 11 143), up to 100 for how far on it is, and 25
    for each spectator up to eight. A match that stands still loses a point a second.
    """
    kind = 100 * facts.live + 10 * facts.fresh + facts.humans
    strength = (sum(facts.ratings) / len(facts.ratings) - USUAL_RATING) / 2 if facts.ratings else 0.0
    length = min(facts.length or SESSION, LONGEST)
    farthest = 2 * length - 1  # points that both can have before the last one
    points = max(-250.0, min(250.0, strength))
    points += 40 * math.log2(1 + length)
    points += 100 * min(1.0, facts.points / farthest)
    points += 25 * min(facts.spectators, MOST_WATCHED)
    points -= max(0.0, facts.idle - FRESH_SECONDS)
    return kind, points


def ranked(matches: Iterable[MatchInterest], *, spectators: Mapping[str, int] | None = None) -> list[MatchInterest]:
    """The best first; `spectators` are counted by match. Equals keep one order, by their ids."""
    counts = spectators or {}
    counted = [replace(each, spectators=counts.get(each.match_id, each.spectators)) for each in matches]
    return sorted(counted, key=lambda each: (*(-part for part in rank(each)), each.match_id))


@dataclass(frozen=True, slots=True)
class Channel:
    """What television shows, and since which moment."""

    match_id: str
    since: float


def next_channel(
    channel: Channel | None, best: Sequence[MatchInterest], *, moment: float, ended: Mapping[str, float] | None = None
) -> Channel | None:
    """The match to show now, of matches whose best is the first; `ended` are the moments when matches ended.

    A live match stays for `TV_STAY_SECONDS` seconds, and after that until one of a better kind, or one that is better
    by `TV_MARGIN`, is there. One that ended shows its result for `TV_RESULT_SECONDS` seconds; one that stands still
    leaves at once.
    """
    first = best[0] if best else None
    if channel is None:
        return None if first is None else Channel(first.match_id, moment)
    over = (ended or {}).get(channel.match_id)
    if over is not None:
        if moment - over < TV_RESULT_SECONDS or first is None:
            return channel
        return Channel(first.match_id, moment)
    current = next((each for each in best if each.match_id == channel.match_id), None)
    if first is None:
        return None
    if current is None:
        return Channel(first.match_id, moment)
    if current is first or (current.fresh and moment - channel.since < TV_STAY_SECONDS):
        return channel
    (kind, points), (better, more) = rank(current), rank(first)
    return Channel(first.match_id, moment) if better > kind or more > points + TV_MARGIN else channel


def board_places(
    shown: Sequence[str], best: Sequence[str], *, ended: Collection[str] = (), most: int = MAX_BOARDS
) -> list[str]:
    """The boards of a screen: a shown board keeps its place, one that leaves is replaced there by the next best.

    `ended` ended a moment ago and stay with their result. A shown board leaves when it is no longer among the first
    `most + RANK_SLACK`.
    """
    good = set(best[: most + RANK_SLACK]) | set(ended)
    places = [match_id if match_id in good else None for match_id in shown[:most]]
    waiting = iter([match_id for match_id in best if match_id not in places])
    filled = [match_id or next(waiting, None) for match_id in places]
    filled += [next(waiting, None) for _ in range(most - len(filled))]
    return [match_id for match_id in filled if match_id is not None]


def board_json(event: Json) -> Json:
    """An event of a match (`games.events`) as a screen gets it: what any spectator sees, no more than is drawn."""
    match, position = event["match"], event["position"]
    return {
        "id": match["id"],
        "version": event["version"],
        "status": match["status"],
        "game": match["game"],
        "score": match["score"],
        "result": match["result"],
        "position": position and {key: position[key] for key in POSITION_KEYS if key in position},
        "clock": event["clock"],
        "paused": event["paused"],
        "offer": event["offer"],
        "last": event["last"],
        "ended": event["ended"],
    }


@dataclass
class FrameThrottle(Generic[T]):
    """Lets one item of a key pass every `gap` seconds; of those offered meanwhile the last one wins."""

    gap: float = FRAME_GAP_SECONDS
    _waiting: dict[str, T] = field(default_factory=dict)
    _passed: dict[str, float] = field(default_factory=dict)

    def offer(self, key: str, item: T) -> None:
        self._waiting[key] = item

    def due(self, moment: float) -> list[T]:
        """The items that may pass now; they are removed."""
        ready = [key for key in self._waiting if self._opens(key) <= moment]
        self._passed.update(dict.fromkeys(ready, moment))
        return [self._waiting.pop(key) for key in ready]

    def wait(self, moment: float) -> float | None:
        """Seconds until the next item may pass; None while nothing waits."""
        opens = [self._opens(key) for key in self._waiting]
        return max(0.0, min(opens) - moment) if opens else None

    def forget(self, key: str) -> None:
        self._waiting.pop(key, None)
        self._passed.pop(key, None)

    def _opens(self, key: str) -> float:
        return self._passed.get(key, -math.inf) + self.gap
