"""Tell the sockets of the talk, after the commit. A lost message costs half a minute: heartbeats ask for the rest.

Each room has a group of its own, and a socket is only ever in those of the rooms that its viewer reads.
"""

from __future__ import annotations

from typing import Any

from django.db import transaction

from accounts.models import User
from games import notify, outbox
from games.engine import Json
from talk import frames
from talk.models import Case, Message, Report
from talk.rooms import Room

MODERATION = "/moderation/"


def room_group(match_id: str, room: Room | str) -> str:
    return f"talk.{match_id}.{Room(room).value}"


def table_group(match_id: str) -> str:
    """Everybody who listens at a match, in whichever room: only that one looks again is ever said here."""
    return f"talk.{match_id}"


def person_group(user_id: int) -> str:
    """The sockets of the talk that one person has open."""
    return f"talk.user.{user_id}"


def said(message: Message) -> None:
    """To the room in which it was said."""
    _after_commit(room_group(message.match_id, message.room), {"type": "talk.said", "said": frames.said_of(message)})


def gone(message: Message) -> None:
    """A message was removed: it loses its words on every page."""
    _after_commit(room_group(message.match_id, message.room), {"type": "talk.gone", "said": frames.said_of(message)})


def table_changed(match_id: str) -> None:
    """Somebody's wishes changed: everybody there looks again at what he reads and may write."""
    _after_commit(table_group(match_id), {"type": "talk.again"})


def match_over(match_id: str) -> None:
    """The match is over: both rooms can be read."""
    _after_commit(table_group(match_id), {"type": "talk.over"})


def person_changed(user_id: int) -> None:
    """Whom one person hears, or what he may write, is not what it was."""
    _after_commit(person_group(user_id), {"type": "talk.again"})


def moderators_alerted(case: Case, moderators: list[User]) -> None:
    """A case waits: a word to each of its moderators, on whatever page he is."""
    for one in moderators:
        notify.user_told(one.pk, {"t": "case", "id": case.pk, "url": f"{MODERATION}{case.pk}/"})


def report_closed(report: Report, case: Case) -> None:
    """The word to the one who reported: it was looked at, and whether something was done."""
    if report.by_id is not None:
        notify.user_told(
            report.by_id, {"t": "report_closed", "id": report.pk, "url": "/reports/", "outcome": case.outcome}
        )


def warned(user_id: int, sanction_id: int) -> None:
    """The word to the one who has a warning to read."""
    notify.user_told(user_id, {"t": "warned", "id": sanction_id, "url": "/reports/about-me/"})


def _after_commit(group: str, message: dict[str, Any] | Json) -> None:
    transaction.on_commit(lambda: outbox.send(group, dict(message)))
