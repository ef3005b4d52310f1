"""From a word to its notice. Pure."""

from __future__ import annotations

from typing import Any

import pytest
from django.utils import translation

from notices import words
from notices.kinds import CHANNELS, GROUPS, KINDS, wanted
from notices.told import draft_of, settled_by

MATCH = {"id": "abc", "url": "/match/abc/", "from": "ana"}


@pytest.mark.parametrize(
    ("word", "kind", "key", "url"),
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
def test_each_word_has_its_notice(word: dict[str, Any], kind: str, key: str, url: str) -> None:
    draft = draft_of(word)
    assert draft is not None
    assert (draft.kind, draft.key, draft.url) == (kind, key, url)


def test_words_for_pages_and_bots_are_none() -> None:
    for word in ({"t": "turn", "id": "abc", "version": 3}, {"t": "lobby"}, {"t": "moved", "id": "abc"}):
        assert draft_of(word) is None


def test_a_move_settles_the_turn_of_its_player_alone() -> None:
    settled = settled_by({"t": "moved", "id": "abc"})
    assert settled is not None
    assert (settled.kinds, settled.key, settled.everybody) == (("your_move", "reminder"), "abc", False)
    assert settled_by({"t": "remind", **MATCH}) is None


@pytest.mark.parametrize("language", ["en", "es"])
def test_every_kind_has_its_words(language: str) -> None:
    assert set(words.HEADINGS) == set(words.LABELS) == set(KINDS)
    assert set(words.SENTENCES) == set(KINDS) - {"match_over"}
    assert set(words.GROUPS) == set(GROUPS)
    assert set(words.CHANNELS) == set(CHANNELS)
    with translation.override(language):
        for kind in KINDS:
            said = words.sentence(kind, {"from": "ana", "title": "Copa"})
            assert "%" not in said
            assert said.endswith((".", "?"))


@pytest.mark.parametrize(
    ("by", "won", "said"),
    [
        ("resign", True, "ana resigned: the match is yours."),
        ("flag", True, "ana ran out of time: the match is yours."),
        ("flag", False, "Your time ran out: the match goes to ana."),
        ("score", False, "ana won your match."),
        ("ended", None, "Your match against ana is over."),
    ],
)
def test_how_a_match_ended(by: str, won: bool | None, said: str) -> None:
    assert words.sentence("match_over", {"from": "ana", "by": by, "won": won}) == said


def test_wishes_come_before_what_is_usual() -> None:
    talk = KINDS["talk"]
    assert [wanted({}, talk, way) for way in CHANNELS] == [True, False, True]
    assert [wanted({"talk": {"mail": True, "page": False}}, talk, way) for way in CHANNELS] == [False, True, True]
