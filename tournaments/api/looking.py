"""Tournaments to look at: the list, one, who plays, the pairings, the standings, the prizes."""

from __future__ import annotations

from typing import Any, ClassVar

from django.db.models import Count, Q
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api import access, bodies
from accounts.api.errors import Problem
from accounts.api.pages import page_of, slice_of
from accounts.api.schema import page_answer
from accounts.api.views import ApiView, viewer, who
from games.api.common import asked, none_such, shown, text, whole
from games.registry import RULES
from tournaments.api.making import tournament_of
from tournaments.api.settings import TournamentBody
from tournaments.api.shapes import (
    EntrantSerializer,
    PairingSerializer,
    PrizesSerializer,
    PurseSerializer,
    SheetSerializer,
    TournamentRowSerializer,
    TournamentSerializer,
    TournamentStandingSerializer,
)
from tournaments.errors import NotFound
from tournaments.models import Entrant, Tournament
from tournaments.selectors import pages, rows
from tournaments.selectors.pages import Listed
from tournaments.selectors.prizes import prizes_of
from tournaments.terms import Terms

MOST_ENTRANTS = 2**15 - 1


class TournamentsQuery(bodies.Paged):
    """Which tournaments a list shows."""

    phase = asked(Tournament.Phase, "Where they stand.")
    club = serializers.SlugField(required=False, max_length=50, help_text="Those of this club, by its slug.")
    variant = asked(RULES, "The game.")
    player = text("Those that this player entered.", 24)
    search = text("A part of the name.")


class Tournaments(ApiView):
    """All tournaments, the latest made first; and making one."""

    access: ClassVar = {"GET": access.public(kind="search"), "POST": access.member("desk")}

    @extend_schema(
        parameters=[TournamentsQuery],
        responses=page_answer(TournamentRowSerializer),
        operation_id="tournaments",
        tags=["tournaments"],
    )
    def get(self, request: Request) -> Response:
        """All tournaments, the latest made first."""
        said = bodies.query_of(TournamentsQuery, request)
        user = viewer(request)
        found = Tournament.objects.select_related("club")
        for name, column in (("phase", "phase"), ("club", "club__slug"), ("variant", "terms__variant")):
            if name in said:
                found = found.filter(**{column: said[name]})
        if "search" in said:
            found = found.filter(name__icontains=said["search"])
        if "player" in said:
            found = found.filter(entrants__in=Entrant.objects.filter(user__username__iexact=said["player"]))

        def told(listed: list[Tournament]) -> list[Any]:
            keys = [one.pk for one in listed]
            mine = Entrant.objects.filter(tournament__in=keys, user=user, withdrawn=False) if user else None
            entered = set(mine.values_list("tournament", flat=True)) if mine is not None else set()
            plays = Q(entrants__withdrawn=False, entrants__waiting=False)
            counts = Tournament.objects.filter(pk__in=keys).annotate(n=Count("entrants", filter=plays))
            players = dict(counts.values_list("pk", "n"))
            listed_rows = [Listed(one, Terms.read(one.terms), players[one.pk], one.pk in entered) for one in listed]
            return shown(TournamentRowSerializer, listed_rows)

        return page_of(found, by=("-created_at", "-pk"), asked=said, told=told)

    @extend_schema(
        request=TournamentBody,
        responses={201: TournamentSerializer, **none_such()},
        operation_id="tournament_make",
        tags=["desk"],
    )
    def post(self, request: Request) -> Response:
        """Open a tournament for entries; who makes it directs it. What is not said is as usual in the kind of evening,
        the template or the tournament that it begins with.
        """
        made = tournament_of(bodies.body_of(TournamentBody, request), who(request))
        return Response(TournamentSerializer(pages.page(tournament_id=made.pk, user=viewer(request))).data, status=201)


class TournamentOne(ApiView):
    """A tournament: what is played, who directs it, where it stands, and what the viewer has to play next."""

    access: ClassVar = {"GET": access.public()}

    @extend_schema(responses=TournamentSerializer, operation_id="tournament", tags=["tournaments"])
    def get(self, request: Request, tournament_id: str) -> Response:
        bodies.query_of(bodies.Query, request)
        return Response(TournamentSerializer(pages.page(tournament_id=tournament_id, user=viewer(request))).data)


class Entrants(ApiView):
    """Who plays, who waits for a place and who has withdrawn, in the order of their entry."""

    access: ClassVar = {"GET": access.public()}

    @extend_schema(
        parameters=[bodies.Paged],
        responses=page_answer(EntrantSerializer),
        operation_id="tournament_entrants",
        tags=["tournaments"],
    )
    def get(self, request: Request, tournament_id: str) -> Response:
        said = bodies.query_of(bodies.Paged, request)
        tournament = pages.tournament_named(tournament_id)
        return page_of(
            tournament.entrants.select_related("user"),
            by=("number",),
            asked=said,
            told=lambda found: shown(EntrantSerializer, found),
        )


class PairingsQuery(bodies.Paged):
    """Which pairings."""

    section = serializers.SlugField(required=False, max_length=24, help_text="Of this section.")
    round = whole("Of this round.", least=1, most=1000)
    entrant = whole("Of this entrant, by number.", least=1, most=MOST_ENTRANTS)


class Pairings(ApiView):
    """The pairings, section by section and round by round, as far as they are known."""

    access: ClassVar = {"GET": access.public()}

    @extend_schema(
        parameters=[PairingsQuery],
        responses=page_answer(PairingSerializer),
        operation_id="tournament_pairings",
        tags=["tournaments"],
    )
    def get(self, request: Request, tournament_id: str) -> Response:
        said = bodies.query_of(PairingsQuery, request)
        sheet = rows.sheet(tournament_id)
        section, number, entrant = said.get("section", ""), said.get("round"), said.get("entrant")
        found = sheet.chosen(section=section, round_=number, entrant=entrant)
        name = f"pairings-{tournament_id}-{section}-{number}-{entrant}"
        return slice_of(found, name=name, asked=said, told=lambda some: shown(PairingSerializer, sheet.rows(some)))


class Pairing(ApiView):
    """One pairing by its key."""

    access: ClassVar = {"GET": access.public()}

    @extend_schema(responses=PairingSerializer, operation_id="tournament_pairing", tags=["tournaments"])
    def get(self, request: Request, tournament_id: str, key: str) -> Response:
        bodies.query_of(bodies.Query, request)
        sheet = rows.sheet(tournament_id)
        found = sheet.state.by_key.get(key)
        if found is None or found.state == "void":
            raise Problem("nothing_here", status=404)
        return Response(PairingSerializer(sheet.rows([found])[0]).data)


class Standings(ApiView):
    """The standings of every section, or (of a bracket that is over) the order of finish."""

    access: ClassVar = {"GET": access.public()}

    @extend_schema(
        parameters=[bodies.Paged],
        responses=page_answer(TournamentStandingSerializer),
        operation_id="tournament_standings",
        tags=["tournaments"],
    )
    def get(self, request: Request, tournament_id: str) -> Response:
        said = bodies.query_of(bodies.Paged, request)
        sheet = rows.sheet(tournament_id)
        lines = sheet.state.standings if sheet.state.order else ()
        if sheet.state.order and sheet.state.format.sections == "bracket" and sheet.state.phase != "over":
            lines = ()

        def told(some: list[Any]) -> list[dict[str, Any]]:
            plain = ("section", "place", "entrant", "played", "wins", "losses", "note")
            return [
                {
                    **{name: getattr(one, name) for name in plain},
                    "name": sheet.name(one.entrant),
                    "tie_breaks": dict(one.values),
                }
                for one in some
            ]

        return slice_of(lines, name=f"standings-{tournament_id}", asked=said, told=told)


class Prizes(ApiView):
    """The prizes, where the directors show them to everybody; its directors always see them."""

    access: ClassVar = {"GET": access.public()}

    @extend_schema(responses=SheetSerializer, operation_id="tournament_prizes", tags=["tournaments"])
    def get(self, request: Request, tournament_id: str) -> Response:
        bodies.query_of(bodies.Query, request)
        view = pages.page(tournament_id=tournament_id, user=viewer(request))
        found = prizes_of(view.sheet)
        if not (found.purse.shown or view.directs):
            raise NotFound
        books = PurseSerializer(found).data if view.directs else None
        return Response({**PrizesSerializer(found).data, "books": books})
