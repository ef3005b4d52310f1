"""Lists of ladders: all of them by club, and the open ones of one club."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from django.db.models import Count, Prefetch, Q, QuerySet

from accounts.models import Club, User
from games import labels as words
from ladders import labels
from ladders.models import Ladder, LadderPlayer

LEADERS = 3


@dataclass(frozen=True, slots=True)
class LadderRow:
    """A ladder as a list shows it to one viewer, with the viewer's own place."""

    ladder: Ladder
    players: int
    leaders: list[User]
    viewer_place: int | None

    @property
    def kind(self) -> str:
        return labels.kind(self.ladder.kind)

    @property
    def terms(self) -> str:
        return terms(self.ladder)


@dataclass(frozen=True, slots=True)
class ClubLadders:
    """The ladders of a club."""

    club: Club
    open: list[LadderRow] = field(default_factory=list)
    closed: list[LadderRow] = field(default_factory=list)


def ladders_by_club(user: User | None) -> list[ClubLadders]:
    """All ladders by club, the open ones first."""
    clubs: dict[int, ClubLadders] = {}
    for row in _rows(Ladder.objects.order_by("club__name", "name"), user):
        group = clubs.setdefault(row.ladder.club_id, ClubLadders(row.ladder.club))
        (group.open if row.ladder.status == Ladder.Status.OPEN else group.closed).append(row)
    return list(clubs.values())


def open_ladders(club: Club, user: User | None) -> list[LadderRow]:
    """The open ladders of a club."""
    return _rows(Ladder.objects.filter(club=club, status=Ladder.Status.OPEN).order_by("name"), user)


def _rows(ladders: QuerySet[Ladder], user: User | None) -> list[LadderRow]:
    """Read ladders with their leaders and the viewer's own places, in three queries."""
    counted = ladders.select_related("club").annotate(on=Count("players", filter=Q(players__rank__isnull=False)))
    rungs = LadderPlayer.objects.filter(rank__lte=LEADERS).select_related("user").order_by("rank")
    places = LadderPlayer.objects.filter(user=user, rank__isnull=False) if user else LadderPlayer.objects.none()
    own_places = dict(places.values_list("ladder_id", "rank"))
    found: QuerySet[Any] = counted.prefetch_related(Prefetch("players", rungs, "leading"))
    return [
        LadderRow(ladder, ladder.on, [place.user for place in ladder.leading], own_places.get(ladder.pk))
        for ladder in found
    ]


def terms(ladder: Ladder) -> str:
    """Describe what is played: `Backgammon · match to 5 points · Club · rated`."""
    parts = [words.variant(ladder.variant)]
    if ladder.kind != Ladder.Kind.RATING:
        parts.append(words.length(ladder.length))
    parts.append(words.clock(ladder.clock_preset))
    return " · ".join([*parts, *words.terms(ladder.variant, ladder.length, ladder.options)])
