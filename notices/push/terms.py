"""What is asked of a push service for each kind of notice, and what its answers mean."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from typing import Literal

from notices.push.sealing import b64

LARGEST = 3 * 1024
"""Bytes of a text before it is sealed: push services take 4 KiB of everything."""
SHORTEST_PAUSE, LONGEST_PAUSE = timedelta(seconds=10), timedelta(hours=6)
FIRST_PAUSE = timedelta(minutes=1)

Urgency = Literal["very-low", "low", "normal", "high"]
Meaning = Literal["taken", "gone", "later", "refused"]


@dataclass(frozen=True)
class Terms:
    """How long a notice is worth delivering, and whether it may wake a sleeping phone (RFC 8030, 5.2 and 5.3)."""

    ttl: timedelta
    urgency: Urgency = "normal"


USUAL = Terms(timedelta(days=1))
TERMS: Mapping[str, Terms] = {
    "match_ready": Terms(timedelta(minutes=30), "high"),
    "round_starts": Terms(timedelta(minutes=30), "high"),
    "begun": Terms(timedelta(minutes=30), "high"),
    "resume": Terms(timedelta(minutes=30), "high"),
    "challenge": Terms(timedelta(hours=2), "high"),
    "director_alert": Terms(timedelta(hours=2), "high"),
    "result_to_confirm": Terms(timedelta(hours=12), "high"),
    "reminder": Terms(timedelta(hours=20), "high"),
    "talk": Terms(timedelta(hours=12), "low"),
    "ladder_challenge": Terms(timedelta(days=2)),
    "match_over": Terms(timedelta(days=2), "low"),
    "declined": Terms(timedelta(days=1), "low"),
    "report_closed": Terms(timedelta(days=2), "low"),
    "trial": Terms(timedelta(minutes=5), "high"),
}


def terms_of(kind: str) -> Terms:
    return TERMS.get(kind, USUAL)


@dataclass(frozen=True)
class Word:
    """What the browser shows: `tag` is the key of the notice, so that a newer one takes the place of an older."""

    title: str
    body: str
    url: str
    tag: str
    lang: str

    def text(self) -> bytes:
        """JSON of at most 3 KiB: a longer body is cut."""
        whole = self._json(self.body)
        if len(whole) <= LARGEST:
            return whole
        kept = self.body
        while kept and len(self._json(kept + "…")) > LARGEST:
            over = len(self._json(kept + "…")) - LARGEST
            kept = kept[: -max(1, over // 4)]  # a letter has up to four bytes
        return self._json(kept + "…")

    def _json(self, body: str) -> bytes:
        word = {"title": self.title, "body": body, "url": self.url, "tag": self.tag, "lang": self.lang}
        return json.dumps(word, ensure_ascii=False, separators=(",", ":")).encode()


def topic(tag: str) -> str:
    """The name under which a service keeps only the newest of its undelivered messages: it tells nothing of the key."""
    return b64(hashlib.sha256(tag.encode()).digest()[:24])


def meaning(status: int) -> Meaning:
    """What an answer means for the message, and for the subscription (`gone`: it exists no more). 0 is no answer."""
    if 200 <= status < 300:
        return "taken"
    if status in (404, 410):
        return "gone"
    if status in (0, 408, 425, 429) or status >= 500:
        return "later"
    return "refused"


def again(tries: int, *, now: datetime, retry_after: str | None = None) -> datetime:
    """When to try once more after `tries` failures: when the service says, else after pauses that double."""
    asked = _asked(retry_after, now)
    pause = FIRST_PAUSE * 2 ** min(tries - 1, 16) if asked is None else asked
    return now + min(max(pause, SHORTEST_PAUSE), LONGEST_PAUSE)


def _asked(retry_after: str | None, now: datetime) -> timedelta | None:
    """The header Retry-After: seconds, or a date (RFC 9110, 10.2.3). None where there is none that one can read."""
    if not retry_after:
        return None
    if retry_after.isascii() and retry_after.isdigit():
        return timedelta(seconds=int(retry_after[:6]))
    try:
        moment = parsedate_to_datetime(retry_after)
    except ValueError:
        return None
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)) - now
