"""Which room a viewer reads, and how a text is cleaned; without a database."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from chat import limits
from chat.rooms import Room, readable_rooms, room_of
from chat.text_cleaning import clean_text

PLAYERS, WATCHERS = {Room.PLAYERS}, {Room.WATCHERS}


@pytest.mark.parametrize(
    ("viewer", "rooms"),
    [
        ({"seated": True, "over": False}, PLAYERS),
        ({"seated": False, "over": False}, WATCHERS),
        ({"seated": True, "over": True}, PLAYERS | WATCHERS),
        ({"seated": False, "over": True}, PLAYERS | WATCHERS),
        ({"seated": True, "over": True, "hidden": True}, PLAYERS),
        ({"seated": False, "over": False, "hidden": True}, set()),
        ({"seated": False, "over": False, "called": True}, PLAYERS | WATCHERS),
        ({"seated": True, "over": False, "called": True}, PLAYERS),  # a director who plays in their own tournament
    ],
)
def test_rooms_are_readable_by_viewer_and_match_state(viewer: dict[str, bool], rooms: set[Room]) -> None:
    assert readable_rooms(**viewer) == rooms


def test_players_write_to_the_players_room_and_everyone_else_to_the_spectators_room() -> None:
    assert (room_of(seated=True), room_of(seated=False)) == (Room.PLAYERS, Room.WATCHERS)


@pytest.mark.parametrize(
    ("typed", "cleaned"),
    [
        ("  Well   played!\n\tBye ", "Well played! Bye"),
        ("¡Qué tirada!", "¡Qué tirada!"),
        ("e\u0301", "é"),
        ("\u202egnp.exe\u202c", "gnp.exe"),  # right-to-left override
        ("\u200b\u2060\ufeff", ""),  # invisible characters only
        ("\u3164\u2800", ""),
        ("\u200d", ""),
        ("\x00a\x07b\ud800", "ab"),
        ("👩\u200d🌾 ok", "👩\u200d🌾 ok"),
        ("a" + "\u0316" * 20, "a" + "\u0316" * 4),
        ("<b>&amp;</b>", "<b>&amp;</b>"),  # text stays text: the page escapes it
    ],
)
def test_a_text_is_cleaned(typed: str, cleaned: str) -> None:
    assert clean_text(typed) == cleaned


def test_the_sixth_message_within_ten_seconds_is_too_fast() -> None:
    start = datetime(2026, 11, 22, tzinfo=UTC)
    times = [start + timedelta(seconds=second) for second in (4, 3, 2, 1, 0)]
    assert limits.too_fast(times, start + timedelta(seconds=9.9))
    assert not limits.too_fast(times, start + timedelta(seconds=10))
    assert not limits.too_fast(times[1:], start)


def test_the_same_message_is_accepted_twice_but_not_three_times() -> None:
    message, phrase = ("Hi", ""), ("", "luck")
    assert not limits.repeats_too_often([message], message)
    assert limits.repeats_too_often([message, message], message)
    assert not limits.repeats_too_often([message, phrase, message], message)
