"""Small questions of the desk's views: who directs, who is entered, who sits where."""

from __future__ import annotations

from django.db.models import QuerySet

from accounts.models import Club, User
from tournaments.errors import NotFound, Refused
from tournaments.formats.core import Two
from tournaments.models import Entrant, Meeting, NightTemplate, Tournament
from tournaments.services.desk import state_of


def directed(*, tournament_id: str, user: User) -> Tournament:
    """A tournament that `user` directs. Raises NotFound, Refused("not_director")."""
    found = Tournament.objects.filter(pk=tournament_id).first()
    if found is None:
        raise NotFound
    if not found.directors.filter(user=user).exists():
        raise Refused("not_director")
    return found


def directs_match(*, match_id: str, user_id: int) -> bool:
    """Whether he directs the tournament in which this match is played."""
    return Meeting.objects.filter(match=match_id, tournament__directors__user=user_id).exists()


def entrant_number(*, tournament_id: str, user: User) -> int:
    """The number under which `user` entered. Raises Refused("not_entered")."""
    found = Entrant.objects.filter(tournament=tournament_id, user=user).values_list("number", flat=True).first()
    if found is None:
        raise Refused("not_entered")
    return found


def waits(*, tournament_id: str, user: User) -> bool:
    """Whether `user` waits for a place."""
    return Entrant.objects.filter(tournament=tournament_id, user=user, waiting=True).exists()


def first_number(*, tournament_id: str, key: str) -> int:
    """The number of the first of a pairing's two. Raises Refused("no_pairing")."""
    rows = Meeting.objects.filter(tournament=tournament_id, key=key).order_by()
    found = rows.values_list("a__number", flat=True).first()
    if found is None:
        raise Refused("no_pairing")
    return found


def template_of(clubs: list[Club], number: str) -> NightTemplate | None:
    """A template of one of these clubs, by its number in an address."""
    good = number.isascii() and number.isdecimal() and len(number) < 10
    found = NightTemplate.objects.select_related("club").filter(club__in=clubs)
    return found.filter(pk=int(number)).first() if good else None


def templates_of(clubs: list[Club]) -> list[NightTemplate]:
    """The templates of these clubs, by club and name."""
    found = NightTemplate.objects.select_related("club").filter(club__in=clubs)
    return list(found.order_by("-club__is_default", "club__name", "name"))


def wishes(tournament: Tournament) -> tuple[list[Two], list[Two]]:
    """Who shall meet in the next round, and who never."""
    state = state_of(tournament)
    return list(state.together), list(state.apart)


def usual_zone(user: User) -> str:
    """The time zone of the last tournament that `user` made; "" when there is none."""
    made = Tournament.objects.filter(created_by=user).order_by("-created_at")
    return made.values_list("timezone", flat=True).first() or ""


def entrants(tournament_id: str) -> QuerySet[Entrant]:
    """The entrants of a tournament."""
    return Entrant.objects.filter(tournament=tournament_id)
