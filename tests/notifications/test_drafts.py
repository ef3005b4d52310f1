"""From a message to its notification; without a database."""

from __future__ import annotations

from typing import Any

import pytest
from django.utils import translation

from notifications import sentences
from notifications.build import build_draft, expired_by
from notifications.kinds import CHANNELS, GROUPS, KINDS, is_wanted

MATCH = {"id": "abc", "url": "/match/abc/", "from": "ana"}


@pytest.mark.parametrize(
    ("message", "kind", "key", "url"),
    [
        (
            {"t": "challenge", "id": "abc", "from": "ana", "variant": "damas", "length": 1},
            "challenge",
            "abc",
            "/match/abc/",
        ),
        ({"t": "ready", **MATCH, "title": "Liga"}, "match_ready", "abc", "/match/abc/"),
        ({"t": "ready", **MATCH, "title": "Copa", "of": "/tournaments/t1/"}, "round_starts", "abc", "/match/abc/"),
        (
            {"t": "ready", "id": "main-1-1", "url": "/tournaments/t1/", "title": "Copa", "from": "ana"},
            "round_starts",
            "t1 main-1-1",
            "/tournaments/t1/",
        ),
        ({"t": "move", **MATCH, "version": 7, "until": None}, "your_move", "abc", "/match/abc/"),
        ({"t": "remind", **MATCH}, "reminder", "abc", "/match/abc/"),
        ({"t": "resume", **MATCH}, "resume", "abc", "/match/abc/"),
        ({"t": "over", **MATCH, "by": "flag", "won": True}, "match_over", "abc", "/match/abc/"),
        (
            {"t": "ladder", "id": 5, "url": "/ladders/2/", "title": "L", "from": "ana"},
            "ladder_challenge",
            "5",
            "/ladders/2/",
        ),
        (
            {"t": "admitted", "url": "/tournaments/t1/", "title": "Copa"},
            "admitted",
            "/tournaments/t1/",
            "/tournaments/t1/",
        ),
        ({"t": "declined", "id": "abc", "from": "ana"}, "declined", "abc", "/"),
    ],
)
def test_each_message_has_its_notification(message: dict[str, Any], kind: str, key: str, url: str) -> None:
    draft = build_draft(message)
    assert draft is not None
    assert (draft.kind, draft.key, draft.url) == (kind, key, url)


def test_messages_for_pages_and_bots_make_no_notification() -> None:
    for message in ({"t": "turn", "id": "abc", "version": 3}, {"t": "lobby"}, {"t": "moved", "id": "abc"}):
        assert build_draft(message) is None


def test_a_move_expires_only_its_players_turn_notification() -> None:
    settled = expired_by({"t": "moved", "id": "abc"})
    assert settled is not None
    assert (settled.kinds, settled.key, settled.for_all_users) == (("your_move", "reminder"), "abc", False)
    assert expired_by({"t": "remind", **MATCH}) is None


@pytest.mark.parametrize("language", ["en", "es"])
def test_every_kind_has_a_text(language: str) -> None:
    assert set(sentences.HEADINGS) == set(sentences.LABELS) == set(KINDS)
    assert set(sentences.SENTENCES) == set(KINDS) - {"match_over"}
    assert set(sentences.GROUPS) == set(GROUPS)
    assert set(sentences.CHANNELS) == set(CHANNELS)
    with translation.override(language):
        for kind in KINDS:
            text = sentences.sentence(kind, {"from": "ana", "title": "Copa"})
            assert "%" not in text
            assert text.endswith((".", "?"))


@pytest.mark.parametrize(
    ("by", "won", "text"),
    [
        ("resign", True, "ana resigned. You won the match."),
        ("flag", True, "ana ran out of time. You won the match."),
        ("flag", False, "You ran out of time. ana won the match."),
        ("score", False, "You lost your match against ana."),
        ("ended", None, "Your match against ana is over."),
    ],
)
def test_the_end_of_a_match_is_described(by: str, won: bool | None, text: str) -> None:
    assert sentences.sentence("match_over", {"from": "ana", "by": by, "won": won}) == text


def test_preferences_override_the_defaults() -> None:
    kind = KINDS["talk"]
    assert [is_wanted({}, kind, channel) for channel in CHANNELS] == [True, False, True]
    assert [is_wanted({"talk": {"mail": True, "page": False}}, kind, channel) for channel in CHANNELS] == [
        False,
        True,
        True,
    ]
