"""Ending the matches of a deleted account."""

from __future__ import annotations

from django.db import transaction
from django.db.models import Q

from accounts.models import User
from games import notify
from games.clocks import PRESETS
from games.models import Match, Seat
from games.services.lobby import match_cancel, match_decline
from games.services.locked_match import LockedMatch


def matches_that_wait(user: User) -> list[Match]:
    """The live matches that a user has to end before deleting the account, because an opponent is playing now: all but
    those by correspondence and adjourned ones.
    """
    slow = [key for key, preset in PRESETS.items() if preset.slow]
    live = Match.objects.filter(seats__user=user, status=Match.Status.LIVE).exclude(clock_preset__in=slow)
    found = live.select_related("creator").prefetch_related("seats__user").order_by("started_at", "pk")
    return [match for match in found if not (match.pause and match.pause.get("adjourned"))]


def matches_leave(*, user: User) -> None:
    """Resign every live match of a user, withdraw their open offers and decline those made to them."""
    with transaction.atomic():
        opened = Match.objects.filter(status=Match.Status.OPEN, arranged=False)
        for match in opened.filter(Q(creator=user) | Q(invited=user)).order_by("pk"):
            end = match_cancel if match.creator_id == user.pk else match_decline
            end(match_id=match.pk, user=user)
        live = Seat.objects.filter(user=user, match__status=Match.Status.LIVE).order_by("match")
        for match_id in list(live.values_list("match", flat=True)):
            _give_up(match_id, user)


def _give_up(match_id: str, user: User) -> None:
    """Resign one match; a session, which has no length, ends as it stands, without a winner."""
    locked = LockedMatch.lock(match_id)
    if locked.is_overdue:
        locked.expire()
    if locked.state.result is None:
        if locked.state.paused:
            locked.resume()
        if locked.match.length:
            locked.act(locked.seat_of(user.pk).side, "resign match", client_id=None, element="")
        else:
            locked.stop()
    locked.commit()
    notify.lobby_changed()
