"""Messages to the sockets, sent after the commit. A lost message costs nothing: every heartbeat carries the version."""

from __future__ import annotations

import logging
from typing import Any

from celery import current_app
from django.db import transaction

from games import message_delivery
from games.engine import Json
from games.message_delivery import GroupMessage
from games.signals import user_notified

log = logging.getLogger(__name__)

LOBBY = "lobby"
SOCKETS = "sockets"  # every web process


def match_group(match_id: str) -> str:
    return f"match.{match_id}"


def seats_group(match_id: str) -> str:
    """The players of a match alone."""
    return f"seats.{match_id}"


def user_group(user_id: int) -> str:
    return f"user.{user_id}"


def event_message(match_id: str, event: Json) -> GroupMessage:
    """The message with `event` to everyone at the match."""
    return match_group(match_id), {"type": "match.event", "event": event}


def match_event(match_id: str, event: Json) -> None:
    """Send `event` to everyone at the match once the transaction is committed."""
    _after_commit(*event_message(match_id, event))


def match_changed(match_id: str) -> None:
    """Something beside the actions changed (a rematch was offered): every socket at the match reads the state again."""
    _after_commit(match_group(match_id), {"type": "match.changed"})


def match_state(match_id: str, event: Json) -> None:
    """Send the state to everyone at the match: it changed without an action (a hand for the dice)."""
    _after_commit(match_group(match_id), {"type": "match.state", "event": event})


def recheck_viewer(match_id: str, user_id: int) -> None:
    """A block was made: where this user only watches the match, their sockets check again whether they may."""
    _after_commit(match_group(match_id), {"type": "match.viewer_check", "user_id": user_id})


def lobby_changed() -> None:
    """The lists of the lobby are no longer what they were."""
    _after_commit(LOBBY, {"type": "lobby.changed"})


def notify_user(user_id: int, message: Json) -> None:
    """Notify a user, on whatever page they are: `{"t": "go", "url"}`, `{"t": "challenge", ...}` and the like."""
    user_notified.send(sender=None, user_id=user_id, message=message)
    message_user(user_id, message)


def message_user(user_id: int, message: Json) -> None:
    """Send a message to the open pages of a user; no receiver of `user_notified` sees it."""
    _after_commit(user_group(user_id), {"type": "user.message", "message": message})


def disconnect_sockets(*, user_id: int | None = None, session: str | None = None, but: str | None = None) -> None:
    """Make every web process close the sockets of a user or of a session (its mark), `but` those of one session."""
    _after_commit(SOCKETS, {"type": "sockets.disconnect", "user_id": user_id, "session": session, "but": but})


def enqueue_bot_act(match_id: str) -> None:
    """Ask a bot's worker to act. If the queue is lost, the sweep over `bot_at` asks again."""
    transaction.on_commit(lambda: ask_bot(match_id))


def ask_bot(match_id: str) -> None:
    """Ask a bot's worker to act in a match whose act is committed."""
    _enqueue("games.tasks.bot_act", match_id, 0)


def enqueue_archive(export_id: int) -> None:
    """Ask a worker to write (some more of) an archive. If the queue is lost, the sweep over `touched_at` asks again."""
    transaction.on_commit(lambda: _enqueue("games.tasks.archive_write", export_id, 0))


def enqueue_facts(match_id: str) -> None:
    """Ask a worker to count a finished match. If the queue is lost, the sweep over matches without facts counts it."""
    transaction.on_commit(lambda: _enqueue("games.tasks.facts_make", match_id, 0))


def _enqueue(task: str, about: str | int, countdown: float) -> None:
    try:
        current_app.send_task(task, args=[about], countdown=countdown, expires=30, ignore_result=True)
    except Exception as error:  # a sweep calls again
        log.warning("no broker to call %s for %s: %s", task, about, error)


def _after_commit(group: str, message: dict[str, Any]) -> None:
    transaction.on_commit(lambda: message_delivery.send(group, message))
