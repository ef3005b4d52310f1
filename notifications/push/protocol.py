"""What is asked of a push service for each kind of notification, and what its answers mean."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from typing import Literal

from notifications.push.encryption import b64

LARGEST = 3 * 1024
"""Bytes of a text before it is sealed: push services take 4 KiB of everything."""
SHORTEST_PAUSE, LONGEST_PAUSE = timedelta(seconds=10), timedelta(hours=6)
FIRST_PAUSE = timedelta(minutes=1)

Urgency = Literal["very-low", "low", "normal", "high"]
ResponseMeaning = Literal["taken", "gone", "later", "refused"]


@dataclass(frozen=True)
class DeliveryTerms:
    """How long a notification is worth delivering, and whether it may wake a phone (RFC 8030, 5.2 and 5.3)."""

    ttl: timedelta
    urgency: Urgency = "normal"


USUAL = DeliveryTerms(timedelta(days=1))
TERMS: Mapping[str, DeliveryTerms] = {
    "match_ready": DeliveryTerms(timedelta(minutes=30), "high"),
    "round_starts": DeliveryTerms(timedelta(minutes=30), "high"),
    "begun": DeliveryTerms(timedelta(minutes=30), "high"),
    "resume": DeliveryTerms(timedelta(minutes=30), "high"),
    "challenge": DeliveryTerms(timedelta(hours=2), "high"),
    "director_alert": DeliveryTerms(timedelta(hours=2), "high"),
    "result_to_confirm": DeliveryTerms(timedelta(hours=12), "high"),
    "reminder": DeliveryTerms(timedelta(hours=20), "high"),
    "talk": DeliveryTerms(timedelta(hours=12), "low"),
    "ladder_challenge": DeliveryTerms(timedelta(days=2)),
    "match_over": DeliveryTerms(timedelta(days=2), "low"),
    "declined": DeliveryTerms(timedelta(days=1), "low"),
    "report_closed": DeliveryTerms(timedelta(days=2), "low"),
    "trial": DeliveryTerms(timedelta(minutes=5), "high"),
}


def terms_of(kind: str) -> DeliveryTerms:
    return TERMS.get(kind, USUAL)


@dataclass(frozen=True)
class PushPayload:
    """What the browser shows: `tag` is the key of the notification, so that a newer one replaces an older."""

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
        body = self.body
        while body and len(self._json(body + "…")) > LARGEST:
            over = len(self._json(body + "…")) - LARGEST
            body = body[: -max(1, over // 4)]  # a letter has up to four bytes
        return self._json(body + "…")

    def _json(self, body: str) -> bytes:
        payload = {"title": self.title, "body": body, "url": self.url, "tag": self.tag, "lang": self.lang}
        return json.dumps(payload, ensure_ascii=False, separators=(",", ":")).encode()


def topic(tag: str) -> str:
    """Return the topic under which a service keeps only the newest undelivered message; it does not reveal the key."""
    return b64(hashlib.sha256(tag.encode()).digest()[:24])


def response_meaning(status: int) -> ResponseMeaning:
    """What an answer means for the message, and for the subscription (`gone`: it no longer exists). 0 is no answer."""
    if 200 <= status < 300:
        return "taken"
    if status in (404, 410):
        return "gone"
    if status in (0, 408, 425, 429) or status >= 500:
        return "later"
    return "refused"


def retry_at(tries: int, *, now: datetime, retry_after: str | None = None) -> datetime:
    """When to retry after `tries` failures: when the service says, else after delays that double."""
    requested = _asked(retry_after, now)
    pause = FIRST_PAUSE * 2 ** min(tries - 1, 16) if requested is None else requested
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
