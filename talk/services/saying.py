"""Saying something at a match."""

from __future__ import annotations

import re
from datetime import datetime

from django.db import transaction

from accounts.models import User
from games.database import now
from talk import limits, notify
from talk.errors import Refused
from talk.hearing import hearer_of
from talk.limits import ALIKE, AT_ONCE, SPAN
from talk.models import Message
from talk.phrases import PHRASES
from talk.signals import said
from talk.texts import LONGEST, clean

ID = re.compile(r"^[A-Za-z0-9-]{1,40}$")


def message_say(*, match_id: str, user_id: int | None, client_id: str, text: str = "", phrase: str = "") -> Message:
    """Say words, or a ready phrase, in the room where this person speaks. The same `client_id` again is said once.

    Raises NotFound, Refused: talk_log_in, bad_id, id_reused, talk_empty, talk_long, talk_phrase,
    talk_fast, talk_again, and what `hearing` refuses (talk_closed, talk_guest, talk_silenced ...).
    """
    if not isinstance(client_id, str) or not ID.match(client_id):
        raise Refused("bad_id")
    if not isinstance(text, str) or not isinstance(phrase, str):
        raise Refused("bad_frame")
    words = "" if phrase else _words(text)
    if phrase and phrase not in PHRASES:
        raise Refused("talk_phrase")
    with transaction.atomic():
        # One at a time for each person, so that the limits count what he says in two windows at once.
        author = User.objects.select_for_update(no_key=True).filter(pk=user_id or 0, is_active=True).first()
        if author is None:
            raise Refused("talk_log_in")
        before = Message.objects.filter(match=match_id, by=author, client_id=client_id).first()
        if before is not None:
            if (before.text, before.phrase) != (words, phrase):
                raise Refused("id_reused")
            return before
        hearer = hearer_of(match_id=match_id, user_id=author.pk)
        if ("phrase" if phrase else "text") not in hearer.may:
            raise hearer.refusal or Refused("talk_closed")
        moment = now()
        _check_limits(_latest(match_id, author, hearer.room), (words, phrase), moment)
        message = Message.objects.create(
            match=hearer.match,
            room=hearer.room.value,
            by=author,
            client_id=client_id,
            text=words,
            phrase=phrase,
            at=moment,
        )
        said.send(sender=Message, match_id=match_id, room=message.room, by_id=author.pk, message_id=message.pk)
        notify.said(message)
    return message


def _words(text: str) -> str:
    """What is kept of a text. Raises Refused: talk_empty, talk_long."""
    if len(text) > 4 * LONGEST:
        raise Refused("talk_long", params={"most": LONGEST})
    words = clean(text)
    if not words:
        raise Refused("talk_empty")
    if len(words) > LONGEST:
        raise Refused("talk_long", params={"most": LONGEST})
    return words


def _latest(match_id: str, author: User, room: str) -> list[Message]:
    return list(Message.objects.filter(match=match_id, room=room, by=author).order_by("-pk")[: max(AT_ONCE, ALIKE)])


def _check_limits(latest: list[Message], new: tuple[str, str], moment: datetime) -> None:
    """Raises Refused: talk_fast, talk_again."""
    if limits.too_fast([one.at for one in latest], moment):
        raise Refused("talk_fast", params={"most": AT_ONCE, "seconds": int(SPAN.total_seconds())})
    if limits.too_alike([(one.text, one.phrase) for one in latest], new):
        raise Refused("talk_again")
