"""The formats by key, and how pages draw each."""

from __future__ import annotations

from tournaments.formats.registry import FORMATS


def test_every_format_has_a_key_and_a_way_to_be_drawn() -> None:
    assert {key: (format_.key, format_.sections) for key, format_ in FORMATS.items()} == {
        "knockout": ("knockout", "bracket"),
        "double": ("double", "bracket"),
        "swiss": ("swiss", "table"),
        "round-robin": ("round-robin", "cross"),
        "groups": ("groups", "both"),
        "league": ("league", "cross"),
        "losses": ("losses", "table"),
        "arena": ("arena", "arena"),
        "exhibition": ("exhibition", "cross"),
    }
