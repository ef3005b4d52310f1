"""Build a notification from a message to a user (docs/protocol.md), and name those that it expires. Pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

Word = Mapping[str, Any]

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
    everybody: bool = False


def build_draft(word: Word) -> Draft | None:
    """Return the notification of a message; None for a message that only open pages need."""
    make = DRAFTS.get(word["t"])
    return make(word) if make else None


def expired_by(word: Word) -> Expiry | None:
    """Return what a message expires; None when it expires nothing."""
    if word["t"] == "moved":
        return Expiry(("your_move", "reminder"), word["id"])
    if word["t"] in ("go", "declined"):  # the challenge is answered, and both are at the arranged match
        return Expiry(("challenge", "match_ready", "round_starts", "resume"), word["id"], everybody=True)
    return None


def _challenge(word: Word) -> Draft:
    return Draft("challenge", word["id"], f"/match/{word['id']}/", _of(word, "from", "variant", "length"))


def _ladder(word: Word) -> Draft:
    return Draft("ladder_challenge", str(word["id"]), word["url"], _of(word, "from", "title"))


def _ready(word: Word) -> Draft:
    """A match that waits, or a pairing that is played over the board: then the thing is the pairing."""
    of_tournament = (word.get("of") or word["url"]).startswith("/tournaments/")
    kind = "round_starts" if of_tournament else "match_ready"
    return Draft(kind, _table(word), word["url"], _of(word, "from", "title"))


def _table(word: Word) -> str:
    """The match that an address leads to, or the pairing."""
    parts = str(word["url"]).strip("/").split("/")
    return parts[1] if parts[0] == "match" else f"{parts[1]} {word['id']}"


def _move(word: Word) -> Draft:
    until = datetime.fromisoformat(word["until"]) if word["until"] else None
    return Draft("your_move", word["id"], word["url"], _of(word, "from"), mark=str(word["version"]), until=until)


def _over(word: Word) -> Draft:
    return Draft("match_over", word["id"], word["url"], _of(word, "from", "by", "won"))


def _declined(word: Word) -> Draft:
    return Draft("declined", word["id"], "/", _of(word, "from"))


def _reported(word: Word) -> Draft:
    return Draft("result_to_confirm", _table(word), word["url"], _of(word, "from", "title"))


def _by_url(kind: str) -> Callable[[Word], Draft]:
    return lambda word: Draft(kind, word["url"], word["url"], _of(word, "title"))


def _of(word: Word, *names: str) -> dict[str, Any]:
    return {name: word[name] for name in names if name in word}


DRAFTS: dict[str, Callable[[Word], Draft]] = {
    "challenge": _challenge,
    "declined": _declined,
    "ladder": _ladder,
    "ready": _ready,
    "move": _move,
    "remind": lambda word: Draft("reminder", word["id"], word["url"], _of(word, "from"), lasts=DAY),
    "resume": lambda word: Draft("resume", word["id"], word["url"], _of(word, "from")),
    "over": _over,
    "reported": _reported,
    "admitted": _by_url("admitted"),
    "alert": _by_url("director_alert"),
    "case": lambda word: Draft("case", str(word["id"]), word["url"]),
    "report_closed": lambda word: Draft("report_closed", str(word["id"]), word["url"]),
    "warned": lambda word: Draft("warned", str(word["id"]), word["url"]),
}
