"""Statistics of one match, counted from its recorded actions. Pure: values in, values out.

A roll counts for the player who rolled it alone: at an opening each rolls one die and a tie is rolled again, so that
those two dice are no fair pair. What a game does not have stays zero; no variant is named here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from datetime import datetime, timedelta
from typing import Any, NamedTuple, Self

from games import replay
from games.engine import SIDES, Position, Side, opponent
from games.registry import RULES

DIE_FACES = 6
_MILLISECOND = timedelta(milliseconds=1)


class TimedAction(NamedTuple):
    """A recorded action: its actor, text and moment, and both reserves after it, in ms."""

    actor: str
    text: str
    at: datetime
    white_ms: int | None = None
    black_ms: int | None = None

    def reserve(self, side: Side) -> int | None:
        return self.white_ms if side == "white" else self.black_ms


@dataclass(slots=True)
class Counts:
    """The counts of one side in a match, or summed over many sides; the fields are those of `SeatFacts`."""

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


COUNT_FIELDS = tuple(each.name for each in fields(Counts))


@dataclass(slots=True)
class Tally(Counts):
    """The counts of one side in a match, and the dice that it rolled: 31 for 3 and 1."""

    dice: Counter[int] = field(default_factory=Counter)


Tallies = dict[Side, Tally]


def count(
    variant: str, length: int, options: Mapping[str, Any], *, delay: int, actions: Iterable[TimedAction]
) -> Tallies:
    """The tally of each side of a match from 0-0 whose clock gives `delay` ms a turn. Raises what `State` raises."""
    return tally(replay.start(RULES[variant], length, options), delay=delay, actions=actions)


def tally(state: replay.State, *, delay: int, actions: Iterable[TimedAction]) -> Tallies:
    """The same of a match that begins with `state`."""
    tallies: Tallies = {side: Tally() for side in SIDES}
    on_roll: tuple[Side, Position] | None = None  # the side that rolled alone, and the position before its play
    last: TimedAction | None = None
    for action in actions:
        if last is not None and (thinker := state.on_clock) is not None:
            tallies[thinker].thinking_ms += _thinking_ms(thinker, last, action, delay)
        rollers = state.position.rollers
        after = state.after(action.actor, action.text)
        played = replay.PLAY.match(action.text) is not None
        if action.actor == "chance" and len(rollers) == 1:
            _count_roll(tallies[rollers[0]], action.text)
            on_roll = rollers[0], after.position
        elif action.actor in SIDES:
            _count_action(tallies, action.actor, action.text, played=played)
        if on_roll is not None and played:
            _count_entering(tallies, *on_roll, action.text)
            on_roll = None
        state, last = after, action
    return tallies


def _count_roll(tally: Tally, text: str) -> None:
    high, low = sorted((int(text[-2]), int(text[-1])), reverse=True)
    tally.rolls += 1
    tally.rolls_double += high == low
    tally.pips += (high + low) * (2 if high == low else 1)
    tally.dice[10 * high + low] += 1


def _count_action(tallies: Tallies, side: Side, text: str, *, played: bool) -> None:
    own, other = tallies[side], tallies[opponent(side)]
    if text == "double":
        own.doubles_offered += 1
    elif text in ("take", "beaver"):
        own.doubles_taken += 1
    elif text == "drop":
        own.doubles_dropped += 1
        other.doubles_cashed += 1
    elif played:
        own.plays += 1


def _count_entering(tallies: Tallies, side: Side, position: Position, text: str) -> None:
    """With a checker on the bar: whether it entered, and how likely one of two dice was to find an open point (B7).

    It moves before all others, so the board is read only for a play that begins with it, or for a pass.
    """
    entered = text.startswith("bar/")
    if not entered and text != "pass":
        return
    board = position.view(None)["board"]
    if not board[side].get("bar"):
        return
    blocked = sum(checkers >= 2 for checkers in board[opponent(side)]["points"][:DIE_FACES])
    chance = 1 - (blocked / DIE_FACES) ** 2
    tally = tallies[side]
    tally.bar_rolls += 1
    tally.bar_entered += entered
    tally.bar_expected += chance
    tally.bar_variance += chance * (1 - chance)


def _thinking_ms(side: Side, before: TimedAction, action: TimedAction, delay: int) -> int:
    """The milliseconds that `side` thought: the time that passed, at most what its clock lost (none in a pause)."""
    passed = max(0, (action.at - before.at) // _MILLISECOND)
    reserve_before, reserve_after = before.reserve(side), action.reserve(side)
    return (
        passed
        if reserve_before is None or reserve_after is None
        else min(passed, delay + max(0, reserve_before - reserve_after))
    )
