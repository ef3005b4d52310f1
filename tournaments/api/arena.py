"""An arena: its table while it runs, pausing and coming back. One joins it as one enters any tournament."""

from __future__ import annotations

from typing import Any, ClassVar

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api import access, bodies
from accounts.api.errors import Problem
from accounts.api.views import ApiView, current_user
from games.api.fields import choice, not_found_response
from tournaments import services
from tournaments.api.registration import PLAY
from tournaments.selectors import lookups
from tournaments.selectors.arena import ACTIVITIES
from tournaments.selectors.tournament_page import tournament_or_not_found, tournament_page


class ArenaPlayerSerializer(serializers.Serializer[Any]):
    """A line of the table of an arena."""

    place = serializers.IntegerField(source="standing.place")
    entrant = serializers.IntegerField(source="standing.entrant")
    name = serializers.CharField()
    points = serializers.IntegerField(source="arena.points")
    wins = serializers.IntegerField(source="standing.wins")
    losses = serializers.IntegerField(source="standing.losses")
    results = serializers.ListField(
        child=choice(("won", "streak", "lost"), "`streak`: a win that counts double."),
        source="arena.kinds",
        help_text="The last results, the latest at the end.",
    )
    on_streak = serializers.BooleanField(source="arena.on_streak", help_text="The next win counts double.")
    activity = choice(
        ("", *ACTIVITIES), "What the player is doing now; empty: nothing, as before the start.", source="arena.activity"
    )


class ArenaSerializer(serializers.Serializer[Any]):
    """The table of an arena; empty before its start."""

    version = serializers.IntegerField(source="tournament.version")
    minutes = serializers.IntegerField(source="terms.config.minutes")
    ends_at = serializers.DateTimeField(source="state.ends_at", allow_null=True, help_text="When pairing ends.")
    pairing = serializers.BooleanField(source="state.takes_players", help_text="Whether players are paired now.")
    players = ArenaPlayerSerializer(source="standings_lines", many=True)


class Arena(ApiView):
    """The table of an arena: points, last results, and what everybody is doing."""

    access: ClassVar = {"GET": access.public()}

    @extend_schema(
        responses={200: ArenaSerializer, **not_found_response()}, operation_id="tournament_arena", tags=["tournaments"]
    )
    def get(self, request: Request, tournament_id: str) -> Response:
        bodies.query_of(bodies.Query, request)
        view = tournament_page(tournament_id=tournament_id, user=None)
        if not view.state.pairs_free_players:
            raise Problem("nothing_here", status=404)
        return Response(ArenaSerializer(view).data)


class ArenaPauseBody(bodies.Body):
    """Whether to pause, or (false) to be paired again."""

    paused = serializers.BooleanField(required=False, default=True)


class ArenaPauseSerializer(serializers.Serializer[Any]):
    """The viewer as a player of an arena."""

    number = serializers.IntegerField()
    paused = serializers.BooleanField()


class Pause(ApiView):
    """Pause in an arena, or come back. A match in play goes on."""

    access: ClassVar = {"POST": PLAY}

    @extend_schema(
        request=ArenaPauseBody, responses=ArenaPauseSerializer, operation_id="tournament_pause", tags=["tournaments"]
    )
    def post(self, request: Request, tournament_id: str) -> Response:
        data = bodies.body_of(ArenaPauseBody, request)
        tournament_or_not_found(tournament_id)
        user = current_user(request)
        number = lookups.entrant_number(tournament_id=tournament_id, user=user)
        services.arena_pause(tournament_id=tournament_id, user=user, number=number, **data)
        return Response({"number": number, "paused": data["paused"]})
