"""Tournaments to read: the list, one tournament, its entrants, pairings, standings and prizes; and creating one."""

from __future__ import annotations

from typing import Any, ClassVar

from django.db.models import Count, Q
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api import access, bodies
from accounts.api.errors import Problem
from accounts.api.pagination import paginate_list, paginate_queryset
from accounts.api.schema import page_serializer
from accounts.api.views import ApiView, current_user, viewer
from games.api.fields import integer, not_found_response, optional_choice, optional_text, serialize_many
from games.registry import RULES
from tournaments.api.fields import MOST_ENTRANTS
from tournaments.api.serializers import (
    EntrantSerializer,
    PairingSerializer,
    PrizeSheetSerializer,
    PrizesSerializer,
    PurseSerializer,
    TournamentRowSerializer,
    TournamentSerializer,
    TournamentStandingSerializer,
)
from tournaments.api.settings import TournamentBody
from tournaments.api.setup import tournament_from_body
from tournaments.errors import NotFound
from tournaments.models import Entrant, Tournament
from tournaments.selectors import tournament_page
from tournaments.selectors.pairing_rows import tournament_rows
from tournaments.selectors.prizes import prize_sheet_of
from tournaments.selectors.tournament_list import TournamentRow
from tournaments.terms import Terms


class TournamentsQuery(bodies.Paged):
    """Filters of the list of tournaments."""

    phase = optional_choice(Tournament.Phase, "Their phase.")
    club = serializers.SlugField(required=False, max_length=50, help_text="Those of this club, by its slug.")
    variant = optional_choice(RULES, "The game.")
    player = optional_text("Those that this player entered.", 24)
    search = optional_text("A part of the name.")


class Tournaments(ApiView):
    """All tournaments, the newest first; and creating one."""

    access: ClassVar = {"GET": access.public(kind="search"), "POST": access.member("desk")}

    @extend_schema(
        parameters=[TournamentsQuery],
        responses=page_serializer(TournamentRowSerializer),
        operation_id="tournaments",
        tags=["tournaments"],
    )
    def get(self, request: Request) -> Response:
        """All tournaments, the newest first."""
        query = bodies.query_of(TournamentsQuery, request)
        user = viewer(request)
        found = Tournament.objects.select_related("club")
        for name, column in (("phase", "phase"), ("club", "club__slug"), ("variant", "terms__variant")):
            if name in query:
                found = found.filter(**{column: query[name]})
        if "search" in query:
            found = found.filter(name__icontains=query["search"])
        if "player" in query:
            found = found.filter(entrants__in=Entrant.objects.filter(user__username__iexact=query["player"]))

        def serialize(listed: list[Tournament]) -> list[Any]:
            keys = [tournament.pk for tournament in listed]
            own_entries = Entrant.objects.filter(tournament__in=keys, user=user, withdrawn=False) if user else None
            entered = set(own_entries.values_list("tournament", flat=True)) if own_entries is not None else set()
            plays = Q(entrants__withdrawn=False, entrants__waiting=False, entrants__team=None)
            counts = Tournament.objects.filter(pk__in=keys).annotate(n=Count("entrants", filter=plays))
            players = dict(counts.values_list("pk", "n"))
            listed_rows = [
                TournamentRow(
                    tournament, Terms.read(tournament.terms), players[tournament.pk], tournament.pk in entered
                )
                for tournament in listed
            ]
            return serialize_many(TournamentRowSerializer, listed_rows)

        return paginate_queryset(found, by=("-created_at", "-pk"), query=query, serialize=serialize)

    @extend_schema(
        request=TournamentBody,
        responses={201: TournamentSerializer, **not_found_response()},
        operation_id="tournament_make",
        tags=["desk"],
    )
    def post(self, request: Request) -> Response:
        """Create a tournament, whose director one becomes, and open its registration. Settings that are left out come
        from the preset, template or tournament that it starts from.
        """
        made = tournament_from_body(bodies.body_of(TournamentBody, request), current_user(request))
        return Response(
            TournamentSerializer(tournament_page.tournament_page(tournament_id=made.pk, user=viewer(request))).data,
            status=201,
        )


class TournamentDetail(ApiView):
    """A tournament: its settings, directors and phase, and the viewer's next matches."""

    access: ClassVar = {"GET": access.public()}

    @extend_schema(responses=TournamentSerializer, operation_id="tournament", tags=["tournaments"])
    def get(self, request: Request, tournament_id: str) -> Response:
        bodies.query_of(bodies.Query, request)
        return Response(
            TournamentSerializer(
                tournament_page.tournament_page(tournament_id=tournament_id, user=viewer(request))
            ).data
        )


class Entrants(ApiView):
    """All entrants in the order of entry, with those on the waiting list and those who have withdrawn."""

    access: ClassVar = {"GET": access.public()}

    @extend_schema(
        parameters=[bodies.Paged],
        responses=page_serializer(EntrantSerializer),
        operation_id="tournament_entrants",
        tags=["tournaments"],
    )
    def get(self, request: Request, tournament_id: str) -> Response:
        query = bodies.query_of(bodies.Paged, request)
        tournament = tournament_page.tournament_or_not_found(tournament_id)
        return paginate_queryset(
            tournament.entrants.select_related("user", "as_team", "team__entrant"),
            by=("number",),
            query=query,
            serialize=lambda found: serialize_many(EntrantSerializer, found),
        )


class PairingsQuery(bodies.Paged):
    """Filters of the list of pairings."""

    section = serializers.SlugField(required=False, max_length=24, help_text="Of this section.")
    round = integer("Of this round.", least=1, most=1000)
    entrant = integer("Of this entrant, by number.", least=1, most=MOST_ENTRANTS)


class WholePairingsQuery(PairingsQuery):
    """The same, with the choice of how series are listed."""

    whole = serializers.BooleanField(required=False, help_text="Each series once, in place of its matches.")


class Pairings(ApiView):
    """The pairings, section by section and round by round, as far as they are known."""

    access: ClassVar = {"GET": access.public()}

    @extend_schema(
        parameters=[WholePairingsQuery],
        responses=page_serializer(PairingSerializer),
        operation_id="tournament_pairings",
        tags=["tournaments"],
    )
    def get(self, request: Request, tournament_id: str) -> Response:
        query = bodies.query_of(WholePairingsQuery, request)
        rows = tournament_rows(tournament_id)
        section, number, entrant = query.get("section", ""), query.get("round"), query.get("entrant")
        whole = bool(query.get("whole")) and bool(rows.state.series)
        found = rows.filtered(section=section, round_=number, entrant=entrant, fixtures=whole)
        name = f"pairings-{tournament_id}-{section}-{number}-{entrant}-{whole}"
        return paginate_list(
            found, name=name, query=query, serialize=lambda page: serialize_many(PairingSerializer, rows.rows(page))
        )


class TeamMatches(ApiView):
    """The matches of teams, section by section and round by round; their boards are pairings."""

    access: ClassVar = {"GET": access.public()}

    @extend_schema(
        parameters=[PairingsQuery],
        responses=page_serializer(PairingSerializer),
        operation_id="tournament_team_matches",
        tags=["tournaments"],
    )
    def get(self, request: Request, tournament_id: str) -> Response:
        query = bodies.query_of(PairingsQuery, request)
        rows = tournament_rows(tournament_id)
        section, number, entrant = query.get("section", ""), query.get("round"), query.get("entrant")
        found = rows.filtered(section=section, round_=number, entrant=entrant, fixtures=True)
        name = f"team-matches-{tournament_id}-{section}-{number}-{entrant}"
        return paginate_list(
            found if rows.state.teams.boards else [],
            name=name,
            query=query,
            serialize=lambda page: serialize_many(PairingSerializer, rows.rows(page)),
        )


class Pairing(ApiView):
    """One pairing by its key."""

    access: ClassVar = {"GET": access.public()}

    @extend_schema(responses=PairingSerializer, operation_id="tournament_pairing", tags=["tournaments"])
    def get(self, request: Request, tournament_id: str, key: str) -> Response:
        bodies.query_of(bodies.Query, request)
        rows = tournament_rows(tournament_id)
        found = rows.pairing(key)
        if found is None or found.state == "void":
            raise Problem("nothing_here", status=404)
        return Response(PairingSerializer(rows.rows([found])[0]).data)


class Standings(ApiView):
    """The standings of every section, or the order of finish of a bracket that is over."""

    access: ClassVar = {"GET": access.public()}

    @extend_schema(
        parameters=[bodies.Paged],
        responses=page_serializer(TournamentStandingSerializer),
        operation_id="tournament_standings",
        tags=["tournaments"],
    )
    def get(self, request: Request, tournament_id: str) -> Response:
        query = bodies.query_of(bodies.Paged, request)
        rows = tournament_rows(tournament_id)
        lines = rows.state.standings if rows.state.order else ()
        if rows.state.order and rows.state.format.sections == "bracket" and rows.state.phase != "over":
            lines = ()

        def serialize(page: list[Any]) -> list[dict[str, Any]]:
            columns = ("section", "place", "entrant", "played", "wins", "losses", "draws", "note")
            return [
                {
                    **{name: getattr(standing, name) for name in columns},
                    "name": rows.name(standing.entrant),
                    "replaced": rows.place_names.holders(standing.entrant)[:-1],
                    "tie_breaks": dict(standing.values),
                }
                for standing in page
            ]

        return paginate_list(lines, name=f"standings-{tournament_id}", query=query, serialize=serialize)


class Prizes(ApiView):
    """The prizes, if the directors show them to everybody; directors always see them."""

    access: ClassVar = {"GET": access.public()}

    @extend_schema(responses=PrizeSheetSerializer, operation_id="tournament_prizes", tags=["tournaments"])
    def get(self, request: Request, tournament_id: str) -> Response:
        bodies.query_of(bodies.Query, request)
        view = tournament_page.tournament_page(tournament_id=tournament_id, user=viewer(request))
        sheet = prize_sheet_of(view.snapshot)
        if not (sheet.purse.shown or view.is_director):
            raise NotFound
        purse = PurseSerializer(sheet).data if view.is_director else None
        return Response({**PrizesSerializer(sheet).data, "books": purse})
