"""One's days away from matches by correspondence. Thin: parse, call one service, answer."""

from __future__ import annotations

from typing import Any, ClassVar

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api import access, bodies
from accounts.api.views import ApiView, who
from accounts.models import User
from games import services
from games.api.common import whole
from games.selectors import lists

TAGS = ["me"]


class VacationBody(bodies.Body):
    """How long one goes away."""

    days = whole("How many days of this year's.", least=1, most=366, required=True)


class VacationSerializer(serializers.Serializer[Any]):
    """Until when one is away, and what is left of this year's days."""

    away_until = serializers.DateTimeField(allow_null=True, help_text="Null: one is here.")
    days_left = serializers.IntegerField()


def _told(user: User) -> dict[str, Any]:
    told = {"away_until": lists.away_until(user), "days_left": services.days_left(user=user)}
    return {**VacationSerializer(told).data}


class MyVacation(ApiView):
    """One's days away from matches by correspondence, whose clocks stand meanwhile."""

    access: ClassVar = {"GET": access.member("read"), "PUT": access.member("play"), "DELETE": access.member("play")}

    @extend_schema(responses=VacationSerializer, operation_id="vacation", tags=TAGS)
    def get(self, request: Request) -> Response:
        """Until when one is away, and what is left of this year's days."""
        bodies.query_of(bodies.Query, request)
        return Response(_told(who(request)))

    @extend_schema(request=VacationBody, responses=VacationSerializer, operation_id="vacation_begin", tags=TAGS)
    def put(self, request: Request) -> Response:
        """Go away from now on: the clocks of matches by correspondence stand."""
        services.vacation_begin(user=who(request), days=bodies.body_of(VacationBody, request)["days"])
        return Response(_told(who(request)))

    @extend_schema(responses={204: None}, operation_id="vacation_end", tags=TAGS)
    def delete(self, request: Request) -> Response:
        """Come back before the time: a day that was begun counts. Not to be away changes nothing."""
        services.vacation_end(user=who(request))
        return Response(status=204)
