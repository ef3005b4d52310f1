"""Weekends by their id, for those who may see them; and the rooms of their tournaments."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from django.db.models import F, Q, QuerySet

from accounts.clubs.roles import may_direct
from accounts.models import Club, User
from tournaments import undo, weekend_roles
from tournaments.boards import Boards
from tournaments.errors import WeekendNotFound
from tournaments.models import Meeting, Official, Tournament, TournamentEvent, Weekend
from tournaments.roles import Role
from tournaments.state import Event
from tournaments.weekend_roles import WeekendAct


@dataclass(frozen=True, slots=True)
class SeenWeekend:
    """A weekend, and everything that the viewer may do there."""

    weekend: Weekend
    may: frozenset[WeekendAct]


def weekend_seen(*, weekend_id: str, user: User | None) -> SeenWeekend:
    """A weekend that is published, or at which the viewer has a role. Raises WeekendNotFound."""
    weekend = _weekend(weekend_id)
    may = weekend_roles.acts_of(weekend_roles.role_of(user, weekend))
    if not weekend.published and not may:
        raise WeekendNotFound
    return SeenWeekend(weekend, may)


def weekend_desk(*, weekend_id: str, user: User, act: WeekendAct) -> SeenWeekend:
    """A weekend at which the viewer may do an act.

    Raises WeekendNotFound, Refused: not_weekend_official, not_weekend_director, not_organizer.
    """
    seen = weekend_seen(weekend_id=weekend_id, user=user)
    weekend_roles.check(user, seen.weekend, act)
    return seen


def _weekend(weekend_id: str) -> Weekend:
    found = Weekend.objects.select_related("club").filter(pk=weekend_id).first()
    if found is None:
        raise WeekendNotFound
    return found


def weekends_of_club(club: Club, user: User | None, *, past: bool = False) -> QuerySet[Weekend]:
    """The weekends of a club that a viewer may see and that are not over (`past`: those that are), in their order."""
    time = {"last__lt": club.today()} if past else {"last__gte": club.today()}
    found = Weekend.objects.filter(club=club, **time).order_by("first", "created_at")
    if may_direct(user, club):
        return found
    seen = Q(published=True)
    if user is not None:
        seen |= Q(created_by=user) | Q(tournaments__officials__user=user)
    return found.filter(seen).distinct()


def tournaments_offered(weekend: Weekend, user: User) -> list[Tournament]:
    """The tournaments that a weekend has, and those not yet over that a user may add (`weekend_roles.may_include`)."""
    own = Q(weekend=weekend)
    free = Q(weekend=None, phase__in=(Tournament.Phase.OPEN, Tournament.Phase.DRAWN, Tournament.Phase.RUNNING))
    if not may_direct(user, weekend.club):
        free &= Q(pk__in=Official.objects.filter(user=user, role=Role.DIRECTOR).values("tournament"))
    found = Tournament.objects.filter(own | free, club=weekend.club_id)
    return list(found.order_by(F("starts_at").asc(nulls_last=True), "created_at", "pk"))


def boards_by_tournament(tournament_ids: Collection[str]) -> Mapping[str, Boards]:
    """The rooms and boards of some tournaments, in one query; those without are left out."""
    found = effective_rows(("boards",), tournament_ids)
    return {pk: Boards.read(rows[-1].data) for pk, rows in found.items() if rows}


def boards_in_use(weekend: Weekend) -> QuerySet[Meeting]:
    """The pairings of a weekend that are called to a board, by board."""
    return Meeting.objects.filter(tournament__weekend=weekend, board__isnull=False).order_by("board")


def effective_rows(kinds: Collection[str], tournament_ids: Collection[str]) -> dict[str, list[TournamentEvent]]:
    """The effective events of these kinds in order, by tournament, in one query."""
    rows = TournamentEvent.objects.filter(tournament__in=tournament_ids, kind__in=(*kinds, *undo.REWRITES))
    found: dict[str, list[TournamentEvent]] = {}
    for row in rows.select_related("by").order_by("tournament", "n"):
        found.setdefault(row.tournament_id, []).append(row)
    return {pk: _effective(rows) for pk, rows in found.items()}


def _effective(rows: list[TournamentEvent]) -> list[TournamentEvent]:
    undone = undo.undone_acts([Event(row.kind, row.data, row.act) for row in rows])
    return [row for row in rows if row.kind not in undo.REWRITES and row.act not in undone]
