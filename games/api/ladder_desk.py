"""Ladders to direct: for the directors of their clubs. Anybody else is answered 403."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api import access, bodies
from accounts.api.views import ApiView, who
from games.api.common import whole
from games.api.ladder_shapes import LadderPlaceSerializer
from games.api.ladders import challenge_of, place_of, player_of
from games.services import ladders as services

DESK = access.member("club")
LONGEST_REASON = 200


class ReasonBody(bodies.Body):
    """Why, for everybody to read."""

    reason = serializers.CharField(required=False, default="", allow_blank=True, max_length=LONGEST_REASON)


class DecideBody(ReasonBody):
    """Who won a challenge that was not played here; null: nobody."""

    winner = serializers.CharField(max_length=24, allow_null=True)


class ChallengeDecide(ApiView):
    """Say how a challenge ended that was not played here: for directors of the club."""

    access: ClassVar = {"POST": DESK}

    @extend_schema(request=DecideBody, responses=LadderPlaceSerializer, operation_id="ladder_decide", tags=["ladders"])
    def post(self, request: Request, ladder_id: str, challenge_id: int) -> Response:
        said = bodies.body_of(DecideBody, request)
        name = said["winner"]
        winner = None if name is None else player_of(ladder_id, name, "ladder_no_such_winner")
        services.challenge_decide(
            challenge_id=challenge_of(ladder_id, challenge_id), by=who(request), winner=winner, reason=said["reason"]
        )
        return place_of(request, ladder_id)


class PlaceBody(ReasonBody):
    """Another place for a player."""

    player = serializers.CharField(max_length=24)
    to = whole("The place, 1 on top.", least=1, most=10_000, required=True)


class LadderPlace(ApiView):
    """Give a player another place: for directors of the club."""

    access: ClassVar = {"POST": DESK}

    @extend_schema(request=PlaceBody, responses=LadderPlaceSerializer, operation_id="ladder_place", tags=["ladders"])
    def post(self, request: Request, ladder_id: str) -> Response:
        said = bodies.body_of(PlaceBody, request)
        user = player_of(ladder_id, said["player"], "ladder_rival_not_on")
        services.ladder_place(ladder_id=ladder_id, by=who(request), user=user, to=said["to"], reason=said["reason"])
        return place_of(request, ladder_id)


class EventBody(ReasonBody):
    """An event of the ladder by its number."""

    n = whole("Its number.", least=1, required=True)


class _Directed(ApiView):
    """An act of a director on a ladder."""

    access: ClassVar = {"POST": DESK}
    service: ClassVar[Callable[..., object]]

    def direct(self, request: Request, ladder_id: str, **facts: Any) -> Response:
        type(self).service(ladder_id=ladder_id, by=who(request), **facts)
        return place_of(request, ladder_id)


class LadderUndo(_Directed):
    """Take back what moved somebody: for directors of the club."""

    service = staticmethod(services.ladder_undo)

    @extend_schema(request=EventBody, responses=LadderPlaceSerializer, operation_id="ladder_undo", tags=["ladders"])
    def post(self, request: Request, ladder_id: str) -> Response:
        return self.direct(request, ladder_id, **bodies.body_of(EventBody, request))


class LadderRedo(_Directed):
    """Let it count again: for directors of the club."""

    service = staticmethod(services.ladder_redo)

    @extend_schema(request=EventBody, responses=LadderPlaceSerializer, operation_id="ladder_redo", tags=["ladders"])
    def post(self, request: Request, ladder_id: str) -> Response:
        return self.direct(request, ladder_id, **bodies.body_of(EventBody, request))


class LadderClose(_Directed):
    """Close a ladder: for directors of the club."""

    service = staticmethod(services.ladder_close)

    @extend_schema(request=None, responses=LadderPlaceSerializer, operation_id="ladder_close", tags=["ladders"])
    def post(self, request: Request, ladder_id: str) -> Response:
        return self.direct(request, ladder_id)


class LadderOpen(_Directed):
    """Open a closed ladder again: for directors of the club."""

    service = staticmethod(services.ladder_open)

    @extend_schema(request=None, responses=LadderPlaceSerializer, operation_id="ladder_open", tags=["ladders"])
    def post(self, request: Request, ladder_id: str) -> Response:
        return self.direct(request, ladder_id)


class LadderSeasonBody(bodies.Body):
    """How the next season is called, and when it ends by itself."""

    name = serializers.CharField(required=False, default="", allow_blank=True, max_length=60)
    ends_at = serializers.DateTimeField(required=False, allow_null=True, default=None)


class LadderSeasonClose(_Directed):
    """End the season, keep its table, and begin the next: for directors of the club."""

    service = staticmethod(services.season_close)

    @extend_schema(
        request=LadderSeasonBody, responses=LadderPlaceSerializer, operation_id="ladder_season_close", tags=["ladders"]
    )
    def post(self, request: Request, ladder_id: str) -> Response:
        return self.direct(request, ladder_id, **bodies.body_of(LadderSeasonBody, request))
