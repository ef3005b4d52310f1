"""Saying something at a match."""

from __future__ import annotations

import re
from datetime import datetime

from django.db import transaction

from accounts.models import User
from chat import limits, notify
from chat.errors import Refused
from chat.limits import BURST, BURST_SPAN, MOST_REPEATS
from chat.models import Message
from chat.phrases import PHRASES
from chat.signals import message_posted
from chat.text_cleaning import LONGEST, clean_text
from chat.visibility import chat_viewer
from games.database import now

ID = re.compile(r"^[A-Za-z0-9-]{1,40}$")


def message_say(*, match_id: str, user_id: int | None, client_id: str, text: str = "", phrase: str = "") -> Message:
    """Post a text or a quick phrase in the user's room. The same `client_id` again posts nothing new.

    Raises NotFound, Refused: talk_log_in, bad_id, id_reused, talk_empty, talk_long, talk_phrase,
    talk_fast, talk_again, and what `visibility` refuses (talk_closed, talk_guest, talk_silenced ...).
    """
    if not isinstance(client_id, str) or not ID.match(client_id):
        raise Refused("bad_id")
    if not isinstance(text, str) or not isinstance(phrase, str):
        raise Refused("bad_frame")
    words = "" if phrase else _words(text)
    if phrase and phrase not in PHRASES:
        raise Refused("talk_phrase")
    with transaction.atomic():
        # One at a time for each user, so that the limits count messages from two windows together.
        author = User.objects.select_for_update(no_key=True).filter(pk=user_id or 0, is_active=True).first()
        if author is None:
            raise Refused("talk_log_in")
        before = Message.objects.filter(match=match_id, by=author, client_id=client_id).first()
        if before is not None:
            if (before.text, before.phrase) != (words, phrase):
                raise Refused("id_reused")
            return before
        viewer = chat_viewer(match_id=match_id, user_id=author.pk)
        if ("phrase" if phrase else "text") not in viewer.may:
            raise viewer.refusal or Refused("talk_closed")
        moment = now()
        _check_limits(_latest(match_id, author, viewer.room), (words, phrase), moment)
        message = Message.objects.create(
            match=viewer.match,
            room=viewer.room.value,
            by=author,
            client_id=client_id,
            text=words,
            phrase=phrase,
            at=moment,
        )
        message_posted.send(
            sender=Message, match_id=match_id, room=message.room, by_id=author.pk, message_id=message.pk
        )
        notify.message_posted(message)
    return message


def _words(text: str) -> str:
    """What is kept of a text. Raises Refused: talk_empty, talk_long."""
    if len(text) > 4 * LONGEST:
        raise Refused("talk_long", params={"most": LONGEST})
    words = clean_text(text)
    if not words:
        raise Refused("talk_empty")
    if len(words) > LONGEST:
        raise Refused("talk_long", params={"most": LONGEST})
    return words


def _latest(match_id: str, author: User, room: str) -> list[Message]:
    return list(
        Message.objects.filter(match=match_id, room=room, by=author).order_by("-pk")[: max(BURST, MOST_REPEATS)]
    )


def _check_limits(latest: list[Message], new: tuple[str, str], moment: datetime) -> None:
    """Raises Refused: talk_fast, talk_again."""
    if limits.too_fast([message.at for message in latest], moment):
        raise Refused("talk_fast", params={"most": BURST, "seconds": int(BURST_SPAN.total_seconds())})
    if limits.repeats_too_often([(message.text, message.phrase) for message in latest], new):
        raise Refused("talk_again")
