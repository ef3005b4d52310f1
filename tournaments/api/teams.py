"""Teams: the list, entering, changing, withdrawing and leaving one, and the line-ups (ruling E21).

Captains do it with the scope `play`, and for whoever directs the tournament a token needs the scope `desk`.
"""

from __future__ import annotations

from typing import Any, ClassVar

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api import access, bodies
from accounts.api.pagination import paginate_list
from accounts.api.schema import page_serializer
from accounts.api.views import ApiView, check_scope, current_user
from accounts.errors import Refused as ClubRefused
from accounts.models import Club
from accounts.programs.scopes import DESK
from games.api.fields import integer, not_found_response, serialize_many
from tournaments import services
from tournaments.api.desk_acts import member_or_refused
from tournaments.api.fields import entrant_field, version_response
from tournaments.api.serializers import TeamSerializer, TournamentVersionSerializer
from tournaments.errors import NotFound
from tournaments.forms.teams import named_players
from tournaments.roles import DeskAct, check, may
from tournaments.selectors import teams as selectors
from tournaments.selectors.pairing_rows import tournament_rows
from tournaments.selectors.tournament_page import tournament_or_not_found
from tournaments.services.entries import LONGEST_NAME
from tournaments.services.entry_conditions import LONGEST_PASSWORD
from tournaments.teams import MOST_BOARDS, MOST_PLAYERS

PLAY = access.member("play")
TAGS = ["tournaments"]


class TeamChangeBody(bodies.Body):
    """Changes of a team; what is left out stays."""

    name = serializers.CharField(required=False, max_length=LONGEST_NAME)
    players = serializers.ListField(
        child=serializers.CharField(max_length=LONGEST_NAME),
        min_length=1,
        max_length=MOST_PLAYERS,
        required=False,
        help_text="In the order of the boards, then the reserves. The name of a member stands for their account.",
    )
    club = serializers.SlugField(
        required=False, allow_null=True, max_length=50, help_text="Its slug; null: of no club. A captain is a member."
    )
    captain = serializers.CharField(
        required=False, allow_null=True, max_length=24, help_text="For directors: a member by name; null: nobody."
    )


class TeamBody(TeamChangeBody):
    """A team to enter: its captain is the member who enters it, unless a director names another one."""

    name = serializers.CharField(max_length=LONGEST_NAME)
    players = serializers.ListField(
        child=serializers.CharField(max_length=LONGEST_NAME),
        min_length=1,
        max_length=MOST_PLAYERS,
        help_text="In the order of the boards, then the reserves. The name of a member stands for their account.",
    )
    password = serializers.CharField(required=False, default="", allow_blank=True, max_length=LONGEST_PASSWORD)
    invitation = serializers.CharField(required=False, default="", allow_blank=True, max_length=80)


class LineupBody(bodies.Body):
    """Who plays for a team in a round: a different player for each board, from the first one."""

    section = serializers.SlugField(max_length=24)
    round = integer("Of the section.", least=1, most=1000, required=True)
    players = serializers.ListField(child=entrant_field(), max_length=MOST_BOARDS, help_text="By number.")


class LineupSerializer(serializers.Serializer[Any]):
    """A round for which the line-up can be set, and the line-up now: the registered order, unless one was `chosen`."""

    section = serializers.CharField()
    round = serializers.IntegerField()
    opponent = serializers.CharField(allow_blank=True, help_text="The other team; empty: not paired yet.")
    players = serializers.ListField(source="numbers", child=serializers.IntegerField(), help_text="From board 1.")
    chosen = serializers.BooleanField()


class Teams(ApiView):
    """The teams with their players, in the order of entry; and entering one."""

    access: ClassVar = {"GET": access.public(), "POST": PLAY}

    @extend_schema(
        parameters=[bodies.Paged],
        responses=page_serializer(TeamSerializer),
        operation_id="tournament_teams",
        tags=TAGS,
    )
    def get(self, request: Request, tournament_id: str) -> Response:
        """The teams with their players, in the order of entry; none in a tournament of single players."""
        query = bodies.query_of(bodies.Paged, request)
        return paginate_list(
            tournament_rows(tournament_id).teams(),
            name=f"teams-{tournament_id}",
            query=query,
            serialize=lambda page: serialize_many(TeamSerializer, page),
        )

    @extend_schema(
        request=TeamBody,
        responses={201: TeamSerializer, **not_found_response()},
        operation_id="team_enter",
        tags=TAGS,
    )
    def post(self, request: Request, tournament_id: str) -> Response:
        """Enter a team, as its captain or as a director; a full tournament puts it on the waiting list."""
        data = bodies.body_of(TeamBody, request)
        _check_scope_and_captain(request, tournament_id, data)
        made = services.team_enter(tournament_id=tournament_id, user=current_user(request), **_team_kwargs(data))
        return Response(_team(tournament_id, made.number), status=201)


class TeamDetail(ApiView):
    """A team with its players; and changing it."""

    access: ClassVar = {"GET": access.public(), "PATCH": PLAY}

    @extend_schema(responses=TeamSerializer, operation_id="team", tags=TAGS)
    def get(self, request: Request, tournament_id: str, number: int) -> Response:
        """A team with its players."""
        bodies.query_of(bodies.Query, request)
        return Response(_team(tournament_id, number))

    @extend_schema(request=TeamChangeBody, responses=TeamSerializer, operation_id="team_change", tags=TAGS)
    def patch(self, request: Request, tournament_id: str, number: int) -> Response:
        """Change a team, as its captain before the draw, or as a director, who adds reserves after it."""
        data, user = bodies.body_of(TeamChangeBody, request), current_user(request)
        page = selectors.managed_team(tournament_id=tournament_id, number=number, user=user)
        _check_scope_and_captain(request, tournament_id, data)
        players = [row.entrant.user or row.entrant.written_name for row in page.players]
        now = {"name": page.name, "club": page.team.club, "captain": page.team.captain, "players": players}
        services.team_change(tournament_id=tournament_id, user=user, number=number, **{**now, **_team_kwargs(data)})
        return Response(_team(tournament_id, number))


class TeamWithdraw(ApiView):
    """Withdraw a team, as its captain or a director; matches that are not played are lost."""

    access: ClassVar = {"POST": PLAY}

    @extend_schema(request=None, responses=TeamSerializer, operation_id="team_withdraw", tags=TAGS)
    def post(self, request: Request, tournament_id: str, number: int) -> Response:
        user = current_user(request)
        selectors.managed_team(tournament_id=tournament_id, number=number, user=user)
        _check_scope_and_captain(request, tournament_id, {})
        services.entrant_withdraw(tournament_id=tournament_id, user=user, number=number)
        return Response(_team(tournament_id, number))


class TeamLeave(ApiView):
    """Leave one's team before the draw."""

    access: ClassVar = {"POST": PLAY}

    @extend_schema(request=None, responses=TournamentVersionSerializer, operation_id="team_leave", tags=TAGS)
    def post(self, request: Request, tournament_id: str) -> Response:
        services.team_leave(tournament_id=tournament_id, user=current_user(request))
        return version_response(tournament_id)


class Lineups(ApiView):
    """The line-ups of a team that can be set now, for its captain and the directors; and setting one."""

    access: ClassVar = {"GET": access.member("read"), "POST": PLAY}

    @extend_schema(responses=LineupSerializer(many=True), operation_id="team_lineups", tags=TAGS)
    def get(self, request: Request, tournament_id: str, number: int) -> Response:
        """The rounds for which the line-up can be set; nobody else sees it before its round opens."""
        bodies.query_of(bodies.Query, request)
        return Response(_lineups(request, tournament_id, number))

    @extend_schema(request=LineupBody, responses=LineupSerializer(many=True), operation_id="team_lineup_set", tags=TAGS)
    def post(self, request: Request, tournament_id: str, number: int) -> Response:
        """Set who plays in a round, until it opens; the answer lists all line-ups that can be set."""
        data, user = bodies.body_of(LineupBody, request), current_user(request)
        selectors.managed_team(tournament_id=tournament_id, number=number, user=user)
        _check_scope_and_captain(request, tournament_id, {})
        services.lineup_set(tournament_id=tournament_id, user=user, number=number, **data)
        return Response(_lineups(request, tournament_id, number))


def _check_scope_and_captain(request: Request, tournament_id: str, data: dict[str, Any]) -> None:
    """Check that a director's token may direct, and that nobody else names a captain.

    Raises NotFound, Problem ``scope``, Refused("not_director").
    """
    role = tournament_or_not_found(tournament_id).role_of(current_user(request))
    if may(role, DeskAct.MANAGE_ENTRANTS):
        check_scope(request, DESK)
    elif "captain" in data:
        check(role, DeskAct.MANAGE_ENTRANTS)


def _team_kwargs(data: dict[str, Any]) -> dict[str, Any]:
    """The arguments of the services for what a body names. Raises Refused: no_club, no_such_player."""
    found = dict(data)
    if "players" in data:
        found["players"] = named_players(data["players"])
    if data.get("club") is not None:
        found["club"] = Club.objects.filter(slug=data["club"]).first()
        if found["club"] is None:
            raise ClubRefused("no_club")
    if data.get("captain") is not None:
        found["captain"] = member_or_refused(data["captain"])
    return found


def _team(tournament_id: str, number: int) -> Any:
    """A team as everybody sees it. Raises NotFound."""
    row = next((row for row in tournament_rows(tournament_id).teams() if row.number == number), None)
    if row is None:
        raise NotFound
    return TeamSerializer(row).data


def _lineups(request: Request, tournament_id: str, number: int) -> Any:
    page = selectors.managed_team(tournament_id=tournament_id, number=number, user=current_user(request))
    return serialize_many(LineupSerializer, page.lineups)
