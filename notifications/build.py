"""Build a notification from a message to a user (docs/protocol.md), and name those that it expires. Pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

MessageData = Mapping[str, Any]

DAY = timedelta(days=1)
TABLE = ("begun", "match_ready", "round_starts", "resume", "your_move", "reminder")
"""What leads to a table, and has lost its sense once the match is over."""


@dataclass(frozen=True, slots=True)
class Draft:
    """A notification without its reader; see `notifications.models.Notification`. `lasts` is how long it is useful."""

    kind: str
    key: str
    url: str
    data: dict[str, Any] = field(default_factory=dict)
    mark: str = ""
    until: datetime | None = None
    lasts: timedelta | None = None


@dataclass(frozen=True, slots=True)
class Expiry:
    """Notifications that are no longer true: of these kinds, about this key, to the message's user or to everybody."""

    kinds: tuple[str, ...]
    key: str
    for_all_users: bool = False


def build_draft(message: MessageData) -> Draft | None:
    """Return the notification of a message; None for a message that only open pages need."""
    make = DRAFTS.get(message["t"])
    return make(message) if make else None


def expired_by(message: MessageData) -> Expiry | None:
    """Return what a message expires; None when it expires nothing."""
    if message["t"] == "moved":
        return Expiry(("your_move", "reminder"), message["id"])
    if message["t"] in ("go", "declined"):  # the challenge is answered, and both are at the arranged match
        return Expiry(("challenge", "match_ready", "round_starts", "resume"), message["id"], for_all_users=True)
    return None


def _challenge(message: MessageData) -> Draft:
    return Draft("challenge", message["id"], f"/match/{message['id']}/", _of(message, "from", "variant", "length"))


def _ladder(message: MessageData) -> Draft:
    return Draft("ladder_challenge", str(message["id"]), message["url"], _of(message, "from", "title"))


def _ready(message: MessageData) -> Draft:
    """A match that waits, or a pairing that is played over the board: then the thing is the pairing."""
    of_tournament = (message.get("of") or message["url"]).startswith("/tournaments/")
    kind = "round_starts" if of_tournament else "match_ready"
    return Draft(kind, _table(message), message["url"], _of(message, "from", "title", "board"))


def _table(message: MessageData) -> str:
    """The match that an address leads to, or the pairing."""
    parts = str(message["url"]).strip("/").split("/")
    return parts[1] if parts[0] == "match" else f"{parts[1]} {message['id']}"


def _move(message: MessageData) -> Draft:
    until = datetime.fromisoformat(message["until"]) if message["until"] else None
    return Draft(
        "your_move", message["id"], message["url"], _of(message, "from"), mark=str(message["version"]), until=until
    )


def _over(message: MessageData) -> Draft:
    return Draft("match_over", message["id"], message["url"], _of(message, "from", "by", "won"))


def _declined(message: MessageData) -> Draft:
    return Draft("declined", message["id"], "/", _of(message, "from"))


def _reported(message: MessageData) -> Draft:
    return Draft("result_to_confirm", _table(message), message["url"], _of(message, "from", "title"))


def _by_url(kind: str) -> Callable[[MessageData], Draft]:
    return lambda message: Draft(kind, message["url"], message["url"], _of(message, "title"))


def _of(message: MessageData, *names: str) -> dict[str, Any]:
    return {name: message[name] for name in names if name in message}


DRAFTS: dict[str, Callable[[MessageData], Draft]] = {
    "challenge": _challenge,
    "declined": _declined,
    "ladder": _ladder,
    "ready": _ready,
    "move": _move,
    "remind": lambda message: Draft("reminder", message["id"], message["url"], _of(message, "from"), lasts=DAY),
    "resume": lambda message: Draft("resume", message["id"], message["url"], _of(message, "from")),
    "over": _over,
    "reported": _reported,
    "admitted": _by_url("admitted"),
    "alert": _by_url("director_alert"),
    "case": lambda message: Draft("case", str(message["id"]), message["url"]),
    "report_closed": lambda message: Draft("report_closed", str(message["id"]), message["url"]),
    "warned": lambda message: Draft("warned", str(message["id"]), message["url"]),
}
