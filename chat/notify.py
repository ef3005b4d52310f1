"""Notify the chat sockets, after the commit. A lost message costs half a minute: heartbeats fetch the rest.

Each room has a group of its own, and a socket joins only the groups of the rooms that its viewer may read.
"""

from __future__ import annotations

from typing import Any

from django.db import transaction

from accounts.models import User
from chat import frames
from chat.models import Case, Message, Report
from chat.rooms import Room
from games import message_delivery, notify
from games.engine import Json

MODERATION = "/moderation/"


def room_group(match_id: str, room: Room | str) -> str:
    return f"chat.{match_id}.{Room(room).value}"


def table_group(match_id: str) -> str:
    """The group of all chat sockets of a match, in whichever room: it only carries requests to reload."""
    return f"chat.{match_id}"


def person_group(user_id: int) -> str:
    """The group of one user's chat sockets."""
    return f"chat.user.{user_id}"


def message_posted(message: Message) -> None:
    """Send a new message to its room."""
    _after_commit(
        room_group(message.match_id, message.room), {"type": "chat.posted", "message": frames.message_event(message)}
    )


def message_removed(message: Message) -> None:
    """Send that a message was removed: every page deletes its text."""
    _after_commit(
        room_group(message.match_id, message.room), {"type": "chat.removed", "message": frames.message_event(message)}
    )


def table_changed(match_id: str) -> None:
    """Let every reader of a match reload: preferences changed what somebody may write."""
    _after_commit(table_group(match_id), {"type": "chat.reload"})


def match_over(match_id: str) -> None:
    """The match is over: both rooms can be read."""
    _after_commit(table_group(match_id), {"type": "chat.over"})


def person_changed(user_id: int) -> None:
    """Let a user's chat sockets reload: what they may read or write has changed."""
    _after_commit(person_group(user_id), {"type": "chat.reload"})


def moderators_alerted(case: Case, moderators: list[User]) -> None:
    """Notify the moderators of a new case, on whatever page they are."""
    for moderator in moderators:
        notify.notify_user(moderator.pk, {"t": "case", "id": case.pk, "url": f"{MODERATION}{case.pk}/"})


def report_closed(report: Report, case: Case) -> None:
    """Notify the reporter that the case was closed, and whether action was taken."""
    if report.by_id is not None:
        notify.notify_user(
            report.by_id, {"t": "report_closed", "id": report.pk, "url": "/reports/", "outcome": case.outcome}
        )


def warned(user_id: int, sanction_id: int) -> None:
    """Notify a user that a warning waits to be read."""
    notify.notify_user(user_id, {"t": "warned", "id": sanction_id, "url": "/reports/about-me/"})


def _after_commit(group: str, message: dict[str, Any] | Json) -> None:
    transaction.on_commit(lambda: message_delivery.send(group, dict(message)))
