"""Small look-ups for views and the API: who directs, who is entered, the templates of clubs."""

from __future__ import annotations

from collections.abc import Mapping

from django.db.models import QuerySet

from accounts.models import Club, User
from tournaments import roles
from tournaments.boards import Boards, Call
from tournaments.errors import NotFound, Refused
from tournaments.formats.core import EntrantPair, Key
from tournaments.models import Entrant, EventTemplate, Meeting, Official, Tournament
from tournaments.roles import DeskAct
from tournaments.services.transaction import load_state


def desk_tournament(*, tournament_id: str, user: User, act: DeskAct) -> Tournament:
    """A tournament at which the role of `user` allows an act.

    Raises NotFound, Refused: not_official, not_referee, not_director.
    """
    found = Tournament.objects.select_related("club").filter(pk=tournament_id).first()
    if found is None:
        raise NotFound
    roles.check(found.role_of(user), act)
    return found


def directs_match(*, match_id: str, user_id: int) -> bool:
    """Whether a user directs the tournament of a match."""
    directing = Official.objects.filter(user=user_id, role=roles.Role.DIRECTOR)
    return Meeting.objects.filter(match=match_id, tournament__officials__in=directing).exists()


def entrant_number(*, tournament_id: str, user: User) -> int:
    """The entrant number of `user`. Raises Refused("not_entered")."""
    found = Entrant.objects.filter(tournament=tournament_id, user=user).values_list("number", flat=True).first()
    if found is None:
        raise Refused("not_entered")
    return found


def is_waiting(*, tournament_id: str, user: User) -> bool:
    """Whether `user` is on the waiting list."""
    return Entrant.objects.filter(tournament=tournament_id, user=user, waiting=True).exists()


def first_entrant_number(*, tournament_id: str, key: str) -> int:
    """The entrant number of a pairing's first player. Raises Refused("no_pairing")."""
    rows = Meeting.objects.filter(tournament=tournament_id, key=key).order_by()
    found = rows.values_list("a__number", flat=True).first()
    if found is None:  # a series in play has no row of its own
        tournament = Tournament.objects.filter(pk=tournament_id).first()
        series = load_state(tournament).pairing(key) if tournament is not None else None
        found = series.a.entrant if series is not None else None
    if found is None:
        raise Refused("no_pairing")
    return found


def template_by_number(clubs: list[Club], number: str) -> EventTemplate | None:
    """A template of one of these clubs, by its number in a URL."""
    is_number = number.isascii() and number.isdecimal() and len(number) < 10
    found = EventTemplate.objects.select_related("club").filter(club__in=clubs)
    return found.filter(pk=int(number)).first() if is_number else None


def templates_of_clubs(clubs: list[Club]) -> list[EventTemplate]:
    """The templates of these clubs, by club and name."""
    found = EventTemplate.objects.select_related("club").filter(club__in=clubs)
    return list(found.order_by("-club__is_default", "club__name", "name"))


def pairing_preferences(tournament: Tournament) -> tuple[list[EntrantPair], list[EntrantPair]]:
    """The pairs to be paired in the next round, and those never to be paired."""
    state = load_state(tournament)
    return list(state.together), list(state.apart)


def boards_of(*, tournament_id: str, user: User) -> tuple[Boards, Mapping[Key, Call]]:
    """The rooms with their boards, and who is called to which. Raises as `desk_tournament`."""
    tournament = desk_tournament(tournament_id=tournament_id, user=user, act=DeskAct.ASSIGN_BOARDS)
    state = load_state(tournament)
    return state.boards, state.called


def entrants_of(tournament_id: str) -> QuerySet[Entrant]:
    """The entrants of a tournament."""
    return Entrant.objects.filter(tournament=tournament_id)
