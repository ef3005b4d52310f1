"""Template tags of the chat."""

from __future__ import annotations

from typing import Any

from django import template
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from chat.limits import OPEN_AFTER_END
from chat.models import CaseEvent, Message
from chat.phrases import PHRASES, phrase_text
from chat.selectors.cases import match_title
from chat.visibility import preferences_of
from games.models import Match, Seat

register = template.Library()
register.filter("match_title", match_title)


@register.inclusion_tag("chat/_panel.html", takes_context=True)
def chat_panel(context: dict[str, Any], match: Match) -> dict[str, Any]:
    """Render the chat panel beside a board, which its script fills; nothing where nobody could have written."""
    user = context["request"].user
    user = user if isinstance(user, User) else None
    open_still = not match.source and (match.ended_at is None or timezone.now() - match.ended_at < OPEN_AFTER_END)
    if not open_still and not Message.objects.filter(match=match).exists():
        return {"config": None}
    seats: list[Seat] = list(match.seats.all())
    seated = any(user is not None and seat.user_id == user.pk for seat in seats)
    alone = seated and any(
        seat.user is None or seat.user.is_bot for seat in seats if not user or seat.user_id != user.pk
    )
    if alone and match.status != Match.Status.OVER:
        return {"config": None}  # the computer does not chat, and its opponent does not read the spectators' room
    preferences = preferences_of(user)
    return {
        "config": {
            "matchId": match.pk,
            "socket": f"/ws/talk/{match.pk}/" if open_still else None,
            "url": reverse("talk", args=[match.pk]),
            "reportUrl": f"{reverse('report-new')}?message=",
            "preferencesUrl": reverse("talk-wish"),
            "user": user is not None,
            "seated": seated,
            "sound": user.sound if user else True,
        },
        "phrases": [(key, phrase_text(key)) for key in PHRASES],
        "preferences": preferences,
        "known": user is not None,
        "seated": seated,
        "here": reverse("match", args=[match.pk]),
    }


@register.filter
def message_text(message: Message) -> str:
    """Return a message's text in the reader's language, also of a removed one: for moderators only."""
    return phrase_text(message.phrase) if message.phrase else message.text


@register.filter
def act_name(event: CaseEvent) -> str:
    """What a moderator did."""
    return str(CaseEvent.Act(event.act).label)
