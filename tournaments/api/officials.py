"""The officials of a tournament: who has which role, appointing and dismissing them."""

from __future__ import annotations

from typing import Any, ClassVar

from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api import access, bodies
from accounts.api.users import PersonSerializer, serialize_person
from accounts.api.views import ApiView, current_user
from games.api.fields import choice, serialize_many
from tournaments import services
from tournaments.api.desk import MemberBody
from tournaments.api.desk_acts import Data, desk_view, member_or_refused
from tournaments.roles import DeskAct, Role
from tournaments.selectors.officials import officials_of


class AppointBody(MemberBody):
    """A member by name, and their role: it replaces the one that they had."""

    role = choice(Role, "Each role may do what those before it may.")


class OfficialSerializer(serializers.Serializer[Any]):
    """An official; `by` and `at` say who appointed them and when, empty where it is not known."""

    player = serializers.SerializerMethodField()
    role = choice(Role)
    by = serializers.CharField(allow_blank=True)
    at = serializers.DateTimeField(allow_null=True)

    @extend_schema_field(PersonSerializer)
    def get_player(self, row: Any) -> Any:
        return serialize_person(row.user)


class Officials(ApiView):
    """The officials of a tournament, for its directors: directors, referees, scorekeepers."""

    access: ClassVar = {"GET": access.member("read")}

    @extend_schema(responses=OfficialSerializer(many=True), operation_id="desk_officials", tags=["desk"])
    def get(self, request: Request, tournament_id: str) -> Response:
        bodies.query_of(bodies.Query, request)
        found = officials_of(tournament_id=tournament_id, user=current_user(request))
        return Response(serialize_many(OfficialSerializer, found.rows))


def _official(_tournament_id: str, data: Data) -> Data:
    player = {"official": member_or_refused(data["player"])}
    return player | ({"role": data["role"]} if "role" in data else {})


Appoint = desk_view(
    "desk_official_appoint",
    services.official_appoint,
    "Give somebody a role at the tournament: scorekeeper, referee or director.",
    AppointBody,
    _official,
    act=DeskAct.APPOINT,
)
Dismiss = desk_view(
    "desk_official_dismiss",
    services.official_dismiss,
    "Take the role of somebody away.",
    MemberBody,
    _official,
    act=DeskAct.APPOINT,
)
