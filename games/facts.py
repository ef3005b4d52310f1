"""What a match holds in numbers, counted from its recorded actions: values in, values out.

A roll counts for who threw it alone: at an opening roll each throws one die and a tie is thrown again, so that those
two dice are no fair pair. What a game does not have stays zero; no variant is asked for by name.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from datetime import datetime, timedelta
from typing import Any, NamedTuple, Self

from games import replay
from games.engine import SIDES, Position, Side, rival
from games.registry import RULES

DIE_FACES = 6
# What moves men, or would have if it could: `8/5 6/5`, `bar/20`, `11-16`, `17x28`, `pass`.
_PLAY = re.compile(r"[0-9]|(?:bar|stock)/|pass$", re.ASCII)
_MILLISECOND = timedelta(milliseconds=1)


class Deed(NamedTuple):
    """A recorded action: who did what and when, and what was left of both reserves after it, in ms."""

    actor: str
    text: str
    at: datetime
    white_ms: int | None = None
    black_ms: int | None = None

    def reserve(self, side: Side) -> int | None:
        return self.white_ms if side == "white" else self.black_ms


@dataclass(slots=True)
class Counted:
    """What is counted of one side in a match, or summed over many sides; the fields are those of `SeatFacts`."""

    doubles_offered: int = 0
    doubles_taken: int = 0
    doubles_dropped: int = 0
    doubles_cashed: int = 0
    rolls: int = 0
    rolls_double: int = 0
    pips: int = 0
    bar_rolls: int = 0
    bar_entered: int = 0
    bar_expected: float = 0.0
    bar_variance: float = 0.0
    plays: int = 0
    thinking_ms: int = 0

    def __add__(self, other: Self) -> Self:
        names = [each.name for each in fields(self)]
        return type(self)(**{name: getattr(self, name) + getattr(other, name) for name in names})


COUNTED = tuple(each.name for each in fields(Counted))


@dataclass(slots=True)
class Tally(Counted):
    """What one side did in a match, and the dice that it threw: 31 for 3 and 1."""

    thrown: Counter[int] = field(default_factory=Counter)


Tallies = dict[Side, Tally]


def count(variant: str, length: int, options: Mapping[str, Any], *, delay: int, deeds: Iterable[Deed]) -> Tallies:
    """The tally of each side of a match from 0-0 whose clock gives `delay` ms a turn. Raises what `State` raises."""
    return tally(replay.start(RULES[variant], length, options), delay=delay, deeds=deeds)


def tally(state: replay.State, *, delay: int, deeds: Iterable[Deed]) -> Tallies:
    """The same of a match that begins with `state`."""
    tallies: Tallies = {side: Tally() for side in SIDES}
    on_roll: tuple[Side, Position] | None = None  # who threw alone, and the position in which his play is awaited
    last: Deed | None = None
    for deed in deeds:
        if last is not None and (thinker := state.on_clock) is not None:
            tallies[thinker].thinking_ms += _thought(thinker, last, deed, delay)
        rollers = state.position.rollers
        after = state.after(deed.actor, deed.text)
        played = _PLAY.match(deed.text) is not None
        if deed.actor == "chance" and len(rollers) == 1:
            _threw(tallies[rollers[0]], deed.text)
            on_roll = rollers[0], after.position
        elif deed.actor in SIDES:
            _did(tallies, deed.actor, deed.text, played=played)
        if on_roll is not None and played:
            _entered(tallies, *on_roll, deed.text)
            on_roll = None
        state, last = after, deed
    return tallies


def _threw(tally: Tally, text: str) -> None:
    high, low = sorted((int(text[-2]), int(text[-1])), reverse=True)
    tally.rolls += 1
    tally.rolls_double += high == low
    tally.pips += (high + low) * (2 if high == low else 1)
    tally.thrown[10 * high + low] += 1


def _did(tallies: Tallies, side: Side, text: str, *, played: bool) -> None:
    mine, other = tallies[side], tallies[rival(side)]
    if text == "double":
        mine.doubles_offered += 1
    elif text in ("take", "beaver"):
        mine.doubles_taken += 1
    elif text == "drop":
        mine.doubles_dropped += 1
        other.doubles_cashed += 1
    elif played:
        mine.plays += 1


def _entered(tallies: Tallies, side: Side, position: Position, text: str) -> None:
    """With a man on the bar: whether he came in, and how likely one of two dice was to find an open point (B7).

    He goes before all others, so only a play that begins with him, or a pass, is worth a look at the board.
    """
    came_in = text.startswith("bar/")
    if not came_in and text != "pass":
        return
    board = position.view(None)["board"]
    if not board[side].get("bar"):
        return
    blocked = sum(men >= 2 for men in board[rival(side)]["points"][:DIE_FACES])
    chance = 1 - (blocked / DIE_FACES) ** 2
    tally = tallies[side]
    tally.bar_rolls += 1
    tally.bar_entered += came_in
    tally.bar_expected += chance
    tally.bar_variance += chance * (1 - chance)


def _thought(side: Side, before: Deed, deed: Deed, delay: int) -> int:
    """Milliseconds that `side` thought: what passed, and no more than the clock took, which stands in a pause."""
    passed = max(0, (deed.at - before.at) // _MILLISECOND)
    had, left = before.reserve(side), deed.reserve(side)
    return passed if had is None or left is None else min(passed, delay + max(0, had - left))
