"""The moments of a match: each recorded action with the state before and after it. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from games.replay import State


class RecordedAction(NamedTuple):
    """A recorded action: its number in the match, its game, who did it and what."""

    n: int
    game: int
    actor: str
    text: str


class Moment(NamedTuple):
    """A deed with the states around it."""

    deed: RecordedAction
    before: State
    after: State


def moments(start: State, deeds: Iterable[RecordedAction]) -> Iterator[Moment]:
    """Every moment of a match that began with `start`, in order. Raises what `State.after` raises."""
    state = start
    for deed in deeds:
        after = state.after(deed.actor, deed.text)
        yield Moment(deed, state, after)
        state = after


def state_before_action(start: State, deeds: Iterable[RecordedAction], n: int) -> State:
    """The state in which the action number `n` was decided. Raises LookupError when there is no such action."""
    state = start
    for deed in deeds:
        if deed.n == n:
            return state
        state = state.after(deed.actor, deed.text)
    raise LookupError(n)
