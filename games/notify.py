"""Tell the sockets, after the commit. A lost message costs nothing: every heartbeat carries the version."""

from __future__ import annotations

import logging
from typing import Any

from celery import current_app
from django.db import transaction

from games import outbox
from games.engine import Json
from games.signals import person_told

log = logging.getLogger(__name__)

LOBBY = "lobby"
DOORS = "doors"  # every web process


def match_group(match_id: str) -> str:
    return f"match.{match_id}"


def seats_group(match_id: str) -> str:
    """The players of a match alone."""
    return f"seats.{match_id}"


def user_group(user_id: int) -> str:
    return f"user.{user_id}"


def match_event(match_id: str, event: Json) -> None:
    """Give `event` to everyone at the table once the transaction is committed."""
    _after_commit(match_group(match_id), {"type": "match.event", "event": event})


def match_changed(match_id: str) -> None:
    """Something beside the actions changed (a rematch was offered): everyone at the table looks again."""
    _after_commit(match_group(match_id), {"type": "match.changed"})


def match_state(match_id: str, event: Json) -> None:
    """Give everyone at the table the state anew: something in it changed without an action (a hand for the dice)."""
    _after_commit(match_group(match_id), {"type": "match.state", "event": event})


def viewer_parted(match_id: str, user_id: int) -> None:
    """A block has been made: where this user only watches a match, his sockets look again whether he may."""
    _after_commit(match_group(match_id), {"type": "match.parted", "user_id": user_id})


def lobby_changed() -> None:
    """The lists of the lobby are no longer what they were."""
    _after_commit(LOBBY, {"type": "lobby.changed"})


def user_told(user_id: int, message: Json) -> None:
    """A word for one person, on whatever page he is: `{"t": "go", "url"}`, `{"t": "challenge", ...}` and the like."""
    person_told.send(sender=None, user_id=user_id, message=message)
    user_heard(user_id, message)


def user_heard(user_id: int, message: Json) -> None:
    """A word to the open pages of one person alone: nobody else hears that it was said."""
    _after_commit(user_group(user_id), {"type": "user.told", "message": message})


def doors_shut(*, user_id: int | None = None, session: str | None = None, but: str | None = None) -> None:
    """Every web process closes the sockets of a user or of a session (its mark), `but` those of one session."""
    _after_commit(DOORS, {"type": "doors.shut", "user_id": user_id, "session": session, "but": but})


def bot_called(match_id: str) -> None:
    """Ask a bot's worker to act, which takes its time. If the queue is lost, the sweep over `bot_at` asks again."""
    transaction.on_commit(lambda: _enqueue("games.tasks.bot_act", match_id, 0))


def archive_called(export_id: int) -> None:
    """Ask a worker to write (some more of) an archive. If the queue is lost, the sweep over `touched_at` asks again."""
    transaction.on_commit(lambda: _enqueue("games.tasks.archive_write", export_id, 0))


def facts_wanted(match_id: str) -> None:
    """Ask a worker to count a finished match. If the queue is lost, the sweep over matches without facts counts it."""
    transaction.on_commit(lambda: _enqueue("games.tasks.facts_make", match_id, 0))


def _enqueue(task: str, about: str | int, countdown: float) -> None:
    try:
        current_app.send_task(task, args=[about], countdown=countdown, expires=30, ignore_result=True)
    except Exception as error:  # a sweep calls again
        log.warning("no broker to call %s for %s: %s", task, about, error)


def _after_commit(group: str, message: dict[str, Any]) -> None:
    transaction.on_commit(lambda: outbox.send(group, message))
