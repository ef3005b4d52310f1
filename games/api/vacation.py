"""Your vacation from correspondence matches over HTTP."""

from __future__ import annotations

from typing import Any, ClassVar

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api import access, bodies
from accounts.api.views import ApiView, current_user
from accounts.models import User
from games import services
from games.api.fields import integer
from games.selectors import vacations as vacation_selectors

TAGS = ["me"]


class VacationBody(bodies.Body):
    """The length of a vacation."""

    days = integer("The number of days.", least=1, most=366, required=True)


class VacationSerializer(serializers.Serializer[Any]):
    """The end of your vacation, and the days left this year."""

    away_until = serializers.DateTimeField(allow_null=True, help_text="Null: not on vacation.")
    days_left = serializers.IntegerField()


def serialize(user: User) -> dict[str, Any]:
    data = {"away_until": vacation_selectors.away_until(user), "days_left": services.days_left(user=user)}
    return {**VacationSerializer(data).data}


class MyVacation(ApiView):
    """Your vacation from correspondence matches, whose clocks are paused meanwhile."""

    access: ClassVar = {"GET": access.member("read"), "PUT": access.member("play"), "DELETE": access.member("play")}

    @extend_schema(responses=VacationSerializer, operation_id="vacation", tags=TAGS)
    def get(self, request: Request) -> Response:
        """The end of your vacation, and the days left this year."""
        bodies.query_of(bodies.Query, request)
        return Response(serialize(current_user(request)))

    @extend_schema(request=VacationBody, responses=VacationSerializer, operation_id="vacation_begin", tags=TAGS)
    def put(self, request: Request) -> Response:
        """Start a vacation now: the clocks of your correspondence matches are paused."""
        services.vacation_begin(user=current_user(request), days=bodies.body_of(VacationBody, request)["days"])
        return Response(serialize(current_user(request)))

    @extend_schema(responses={204: None}, operation_id="vacation_end", tags=TAGS)
    def delete(self, request: Request) -> Response:
        """End the vacation early; a started day counts. Without a vacation nothing changes."""
        services.vacation_end(user=current_user(request))
        return Response(status=204)
