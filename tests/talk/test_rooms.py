"""Who reads which room, and what is left of a text: without a database."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from talk import limits
from talk.rooms import Room, own, readable
from talk.texts import clean

PLAYERS, WATCHERS = {Room.PLAYERS}, {Room.WATCHERS}


@pytest.mark.parametrize(
    ("who", "rooms"),
    [
        ({"seated": True, "over": False}, PLAYERS),
        ({"seated": False, "over": False}, WATCHERS),
        ({"seated": True, "over": True}, PLAYERS | WATCHERS),
        ({"seated": False, "over": True}, PLAYERS | WATCHERS),
        ({"seated": True, "over": True, "hidden": True}, PLAYERS),
        ({"seated": False, "over": False, "hidden": True}, set()),
        ({"seated": False, "over": False, "called": True}, PLAYERS | WATCHERS),
        ({"seated": True, "over": False, "called": True}, PLAYERS),  # a director who plays in his own tournament
    ],
)
def test_who_reads_what(who: dict[str, bool], rooms: set[Room]) -> None:
    assert readable(**who) == rooms


def test_a_player_speaks_to_the_players_and_everybody_else_to_the_watchers() -> None:
    assert (own(seated=True), own(seated=False)) == (Room.PLAYERS, Room.WATCHERS)


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        ("  Well   played!\n\tBye ", "Well played! Bye"),
        ("¡Qué tirada!", "¡Qué tirada!"),
        ("e\u0301", "é"),
        ("\u202egnp.exe\u202c", "gnp.exe"),  # turned around
        ("\u200b\u2060\ufeff", ""),  # nothing to see
        ("\u3164\u2800", ""),
        ("\u200d", ""),
        ("\x00a\x07b\ud800", "ab"),
        ("👩\u200d🌾 ok", "👩\u200d🌾 ok"),
        ("a" + "\u0316" * 20, "a" + "\u0316" * 4),
        ("<b>&amp;</b>", "<b>&amp;</b>"),  # text is text: the page shows it as it is
    ],
)
def test_what_is_left_of_a_text(typed: str, kept: str) -> None:
    assert clean(typed) == kept


def test_the_sixth_message_within_ten_seconds_is_too_fast() -> None:
    start = datetime(2026, 11, 22, tzinfo=UTC)
    times = [start + timedelta(seconds=second) for second in (4, 3, 2, 1, 0)]
    assert limits.too_fast(times, start + timedelta(seconds=9.9))
    assert not limits.too_fast(times, start + timedelta(seconds=10))
    assert not limits.too_fast(times[1:], start)


def test_the_same_is_said_twice_and_not_three_times() -> None:
    one, other = ("Hi", ""), ("", "luck")
    assert not limits.too_alike([one], one)
    assert limits.too_alike([one, one], one)
    assert not limits.too_alike([one, other, one], one)
