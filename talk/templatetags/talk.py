"""The talk in pages."""

from __future__ import annotations

from typing import Any

from django import template
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from games.models import Match, Seat
from talk.hearing import wishes_of
from talk.limits import KEPT_OPEN
from talk.models import CaseEvent, Message
from talk.phrases import PHRASES, phrase_text
from talk.selectors.cases import match_title

register = template.Library()
register.filter("match_title", match_title)


@register.inclusion_tag("talk/_panel.html", takes_context=True)
def talk_panel(context: dict[str, Any], match: Match) -> dict[str, Any]:
    """The talk beside a board, which its script fills; nothing where nobody can have said anything."""
    user = context["request"].user
    user = user if isinstance(user, User) else None
    open_still = not match.source and (match.ended_at is None or timezone.now() - match.ended_at < KEPT_OPEN)
    if not open_still and not Message.objects.filter(match=match).exists():
        return {"config": None}
    seats: list[Seat] = list(match.seats.all())
    seated = any(user is not None and seat.user_id == user.pk for seat in seats)
    alone = seated and any(
        seat.user is None or seat.user.is_bot for seat in seats if not user or seat.user_id != user.pk
    )
    if alone and match.status != Match.Status.OVER:
        return {"config": None}  # the computer does not talk, and its rival does not hear those who watch
    wishes = wishes_of(user)
    return {
        "config": {
            "matchId": match.pk,
            "socket": f"/ws/talk/{match.pk}/" if open_still else None,
            "url": reverse("talk", args=[match.pk]),
            "reportUrl": f"{reverse('report-new')}?message=",
            "wishUrl": reverse("talk-wish"),
            "user": user is not None,
            "seated": seated,
            "sound": user.sound if user else True,
        },
        "phrases": [(key, phrase_text(key)) for key in PHRASES],
        "wishes": wishes,
        "known": user is not None,
        "seated": seated,
        "here": reverse("match", args=[match.pk]),
    }


@register.filter
def said(message: Message) -> str:
    """The words of a message in the reader's language, also of one that was removed: for moderators alone."""
    return phrase_text(message.phrase) if message.phrase else message.text


@register.filter
def act_name(event: CaseEvent) -> str:
    """What a moderator did."""
    return str(CaseEvent.Act(event.act).label)
