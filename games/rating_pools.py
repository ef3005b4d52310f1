"""The pools of ratings of a game: people at each pace, and everybody who plays with a computer. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from games.clocks import pace_of

COMPUTERS = "computer"
POOLS = ("live", "correspondence", COMPUTERS)
"""The keys of the pools of each game (`RatingPool.pace`), in the order of the lists. A new one has its name in
`games.labels.PACES`."""


class Player(Protocol):
    """Who plays: a person or a computer."""

    @property
    def is_bot(self) -> bool: ...


def pool_of(clock: str, players: Iterable[Player | None]) -> str:
    """The pool in which a match with this clock counts: with a computer in it, at any pace, that of the computers."""
    return COMPUTERS if any(player is not None and player.is_bot for player in players) else pace_of(clock)
