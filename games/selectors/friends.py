"""Whom a player follows, as far as they are here now: for the lobby, in the same number of queries however many."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Exists, OuterRef
from django.utils import timezone

from accounts.models import User
from accounts.ties import FOLLOW, apart_from, ties_of
from games.models import Match, Seat
from games.selectors.lists import AGAIN, LATELY
from games.services import online
from games.services.presence import SLOW

MOST_FOLLOWED = 200
"""Of those whom he follows, the last that are looked for."""
MOST_SHOWN = 12


@dataclass(frozen=True, slots=True)
class Friend:
    """Somebody whom the viewer follows and who is here: at the table of `match_id`, or "" with time to play.

    `friend`: he follows the viewer, too.
    """

    user: User
    friend: bool
    match_id: str = ""


def friends_here(user: User | None) -> list[Friend]:
    """Those whom `user` follows who play or have a page open, his friends first.

    Bots, which are always here, stay out, and so does who sits at a table of the viewer's own.
    """
    if user is None:
        return []
    followed = ties_of(user, FOLLOW).filter(about__is_active=True, about__is_bot=False)[:MOST_FOLLOWED]
    known = {tie.about_id: tie for tie in followed}
    if not known:
        return []
    here = online.among(known)
    tables, with_me = _tables(user, frozenset(known))
    found = [
        Friend(tie.about, tie.friend, tables.get(one, ""))  # type: ignore[attr-defined]
        for one, tie in known.items()
        if (one in here or one in tables) and one not in with_me
    ]
    return sorted(found, key=lambda one: (not one.friend, not one.match_id, one.user.name_key))[:MOST_SHOWN]


def _tables(user: User, people: frozenset[int]) -> tuple[dict[int, str], frozenset[int]]:
    """At which table each of these people plays live now, as far as `user` may watch; and who plays with himself."""
    moment = timezone.now()
    live = Match.objects.filter(status=Match.Status.LIVE, ended_at=None).exclude(clock_preset__in=SLOW)
    live = live.filter(clock_at__range=(moment - LATELY, moment + AGAIN))
    at_table = Seat.objects.filter(match=OuterRef("match"))
    seats = (
        Seat.objects.filter(user__in=people, match__in=live)
        .annotate(mine=Exists(at_table.filter(user=user)), closed=Exists(at_table.filter(user__in=apart_from(user.pk))))
        .order_by("match__started_at")
        .values_list("user", "match", "mine", "closed")
    )
    rows = list(seats)
    return {who: match for who, match, mine, closed in rows if not mine and not closed}, frozenset(
        who for who, _, mine, _ in rows if mine
    )
