"""What ends at the tables when somebody leaves the site for good."""

from __future__ import annotations

from django.db import transaction
from django.db.models import Q

from accounts.models import User
from games import notify
from games.clocks import PRESETS
from games.errors import Refused
from games.models import LadderPlayer, Match, Seat
from games.services import ladders
from games.services.lobby import match_cancel, match_decline
from games.services.table import Table


def matches_that_wait(user: User) -> list[Match]:
    """The matches in play that he has to end himself, because a rival sits there now: all but those by correspondence
    and adjourned ones.
    """
    slow = [key for key, preset in PRESETS.items() if preset.slow]
    live = Match.objects.filter(seats__user=user, status=Match.Status.LIVE).exclude(clock_preset__in=slow)
    found = live.select_related("creator").prefetch_related("seats__user").order_by("started_at", "pk")
    return [match for match in found if not (match.pause and match.pause.get("adjourned"))]


def matches_leave(*, user: User) -> None:
    """Resign every match of his that is in play, take back what he offers and decline what he is offered."""
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
    table = Table.lock(match_id)
    if table.overdue():
        table.expire()
    if table.state.result is None:
        if table.state.paused:
            table.resume()
        if table.match.length:
            table.act(table.seat_of(user.pk).side, "resign match", client_id=None, element="")  # type: ignore[arg-type]
        else:
            table.stop()
    table.commit()
    notify.lobby_changed()
    ladders.match_over(match_id=match_id)  # before he leaves the ladder that it was played for


def ladders_leave(*, user: User) -> None:
    """Give up every place on a ladder, with the calls that are open (L11)."""
    for ladder_id in LadderPlayer.objects.filter(user=user).order_by("ladder").values_list("ladder", flat=True):
        try:
            ladders.ladder_leave(ladder_id=ladder_id, user=user)
        except Refused:  # he was not on it any more, or it is made of the ratings
            continue
