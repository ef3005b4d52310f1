"""The two rooms of a match, and who reads which. Pure: it depends on who plays and on whether the match is over.

While the match runs the players have a room of their own and never see the spectators' room, so that nobody can tell
them what to play; and nobody else sees the players' room. After the match both rooms are open to all who could watch.
"""

from __future__ import annotations

from enum import StrEnum


class Room(StrEnum):
    PLAYERS = "players"  # the two at the table
    WATCHERS = "watchers"  # everybody else


def room_of(*, seated: bool) -> Room:
    """Return the room in which somebody writes."""
    return Room.PLAYERS if seated else Room.WATCHERS


def readable_rooms(*, seated: bool, over: bool, hidden: bool = False, called: bool = False) -> frozenset[Room]:
    """Return the rooms that somebody reads.

    `hidden`: they want no messages of spectators. `called`: they direct the tournament of this match and something was
    reported in it; a director who plays in the match has no such right.
    """
    found = set(Room) if over or (called and not seated) else {room_of(seated=seated)}
    return frozenset(found - {Room.WATCHERS} if hidden else found)
