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
    """A recorded action with the states around it."""

    action: RecordedAction
    before: State
    after: State


def moments(start: State, actions: Iterable[RecordedAction]) -> Iterator[Moment]:
    """Every moment of a match that began with `start`, in order. Raises what `State.after` raises."""
    state = start
    for action in actions:
        after = state.after(action.actor, action.text)
        yield Moment(action, state, after)
        state = after
