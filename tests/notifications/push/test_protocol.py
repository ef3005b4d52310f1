"""Requests to a push service, and the meaning of its responses."""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime, timedelta

import pytest

from notifications.kinds import KINDS
from notifications.push.protocol import LARGEST, TERMS, PushPayload, response_meaning, retry_at, terms_of, topic

NOW = datetime(2026, 11, 22, 12, tzinfo=UTC)


def test_every_kind_with_its_own_push_options_exists() -> None:
    assert set(TERMS) - set(KINDS) == {"trial"}


def test_a_starting_match_is_urgent_and_expires_after_half_an_hour() -> None:
    assert (terms_of("match_ready").ttl, terms_of("match_ready").urgency) == (timedelta(minutes=30), "high")
    assert (terms_of("your_move").ttl, terms_of("your_move").urgency) == (timedelta(days=1), "normal")


def test_a_payload_is_five_json_fields() -> None:
    payload = PushPayload("Te toca", "Contra bea, a 5 puntos", "/match/abc/", "your_move:abc", "es")
    assert json.loads(payload.text()) == {
        "title": "Te toca",
        "body": "Contra bea, a 5 puntos",
        "url": "/match/abc/",
        "tag": "your_move:abc",
        "lang": "es",
    }


@pytest.mark.parametrize("character", ["a", "ñ", "♟", "😀", '"'])
def test_a_long_body_is_cut_to_three_kibibytes(character: str) -> None:
    text = PushPayload("Hi", character * 5000, "/", "t", "en").text()
    assert LARGEST - 20 < len(text) <= LARGEST
    assert json.loads(text)["body"].endswith(character + "…")


def test_a_topic_is_stable_and_reveals_nothing() -> None:
    assert re.fullmatch(r"[\w-]{32}", topic("your_move:abcdefghjk"))
    assert topic("your_move:abcdefghjk") == topic("your_move:abcdefghjk") != topic("your_move:abcdefghjl")


@pytest.mark.parametrize(
    ("status", "meaning"),
    [
        *((each, "taken") for each in (200, 201, 202, 204)),
        *((each, "gone") for each in (404, 410)),
        *((each, "later") for each in (0, 408, 429, 500, 502, 503)),
        *((each, "refused") for each in (301, 302, 307, 400, 401, 403, 413)),
    ],
)
def test_each_response_status_has_one_outcome(status: int, meaning: str) -> None:
    assert response_meaning(status) == meaning


@pytest.mark.parametrize(
    ("retry_after", "seconds"),
    [
        ("120", 120),
        ("0", 10),
        ("999999999", 6 * 3600),
        ("Sun, 22 Nov 2026 12:05:00 GMT", 300),
        ("Sun, 22 Nov 2026 11:00:00 GMT", 10),
        ("soon", 60),
        ("-5", 60),
        (None, 60),
    ],
)
def test_retry_after_sets_the_delay(retry_after: str | None, seconds: int) -> None:
    assert retry_at(1, now=NOW, retry_after=retry_after) - NOW == timedelta(seconds=seconds)


def test_retry_delays_double_up_to_six_hours() -> None:
    pauses = [retry_at(tries, now=NOW) - NOW for tries in (1, 2, 3, 4, 20)]
    assert pauses == [timedelta(minutes=each) for each in (1, 2, 4, 8, 360)]
