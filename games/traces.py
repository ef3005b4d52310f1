"""Traces of acts, from the frame to the fan-out: what live play reports if somebody records it (backgammon.ops.traces).

`active` is None unless traces are on, and then nothing more than that is asked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar
from typing import ParamSpec, Protocol, TypeVar

P = ParamSpec("P")
R = TypeVar("R")

NAMED_ACTIONS = frozenset(
    {"roll", "dice", "double", "beaver", "take", "drop", "name", "accept", "reject", "resign", "offer-draw"}
    | {"claim-draw", "end"}
)


class Trace(Protocol):
    """The trace of one act."""

    def answered(self, version: int) -> None:
        """Note the version of the match after the act."""


class Recorder(Protocol):
    """Who records traces."""

    def act(self, match_id: str, action: str, *, source: str, received_at: float) -> AbstractContextManager[Trace]:
        """Record an act as long as the block lasts; `received_at` (monotonic seconds) is when its frame came."""

    def step(
        self, name: str, parents: Iterable[Trace | None], **attributes: str | int | bool
    ) -> AbstractContextManager[None]:
        """Record one step of all these traces, as long as the block lasts."""


active: Recorder | None = None
current: ContextVar[Trace | None] = ContextVar("trace", default=None)
"""The trace that what runs here belongs to; tasks that are sent here carry it on."""


def kind_of(action: str) -> str:
    """The kind of an action: its name, or "move". An act's own text is not recorded: anything may be in it."""
    name = action.strip().partition(" ")[0]
    return name if name in NAMED_ACTIONS else "move"


@contextmanager
def belonging(trace: Trace | None) -> Iterator[None]:
    """Let what runs in this block belong to a trace."""
    token = current.set(trace)
    try:
        yield
    finally:
        current.reset(token)


def within(trace: Trace, function: Callable[P, R]) -> Callable[P, R]:
    """Return `function` as a part of a trace, for another thread."""

    def call(*args: P.args, **kwargs: P.kwargs) -> R:
        with belonging(trace):
            return function(*args, **kwargs)

    return call
