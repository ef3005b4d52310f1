"""Who reads what: the two rooms of a match. Pure: whether somebody plays and whether it is over decide everything.

While the match runs its players have a room of their own and never see the other one, so that nobody can tell them what
to play; and nobody else sees theirs. When it is over both can be read by all who could watch.
"""

from __future__ import annotations

from enum import StrEnum


class Room(StrEnum):
    PLAYERS = "players"  # the two at the table
    WATCHERS = "watchers"  # everybody else


def own(*, seated: bool) -> Room:
    """The room in which somebody speaks, whatever he asks for."""
    return Room.PLAYERS if seated else Room.WATCHERS


def readable(*, seated: bool, over: bool, hidden: bool = False, called: bool = False) -> frozenset[Room]:
    """The rooms that somebody reads.

    `hidden`: he wants nothing of the watchers. `called`: he directs the tournament of this match, and something was
    reported in it; who plays in it himself directs nothing there.
    """
    found = set(Room) if over or (called and not seated) else {own(seated=seated)}
    return frozenset(found - {Room.WATCHERS} if hidden else found)
