"""Build the views of the acts at the desk: parse a body, call one service, answer with the new version."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar, TypeAlias

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api import access, bodies
from accounts.api.views import ApiView, current_user
from accounts.models import User
from tournaments.api.fields import version_response
from tournaments.api.serializers import TournamentVersionSerializer
from tournaments.errors import AffectsPairings, Refused
from tournaments.forms.roster import member_by_name
from tournaments.roles import DeskAct
from tournaments.selectors import lookups

DESK = access.member("desk")
Data: TypeAlias = dict[str, Any]


class ResetPairingSerializer(serializers.Serializer[Any]):
    """A pairing that would be reset."""

    key = serializers.CharField()


class AffectedSerializer(serializers.Serializer[Any]):
    """Why nothing was changed. With `affected` come the pairings that would be reset: send their keys to agree."""

    code = serializers.CharField()
    ruling = serializers.CharField(allow_blank=True)
    text = serializers.CharField()
    affected = ResetPairingSerializer(many=True, required=False)


def desk_view(
    operation_id: str,
    service: Callable[..., object],
    description: str,
    body: type[bodies.Body] | None = None,
    kwargs: Callable[[str, Data], Data] | None = None,
    *,
    act: DeskAct,
    resets: bool = False,
) -> type[ApiView]:
    """Build the view of an act. Its service takes the data of the `body`, or what `kwargs` returns for them.

    `act` is asked for before names and pairings of the body are looked up; the service asks for it again.
    An act that `resets` other pairings answers 409 with their keys, until the body agrees to them.
    """
    responses: Any = TournamentVersionSerializer
    if resets:
        responses = {200: TournamentVersionSerializer, 409: AffectedSerializer}

    class DeskView(ApiView):
        access: ClassVar = {"POST": DESK}

        @extend_schema(
            request=body, responses=responses, operation_id=operation_id, tags=["desk"], description=description
        )
        def post(self, request: Request, tournament_id: str) -> Response:
            user, arguments = current_user(request), {}
            if body is not None:
                data = bodies.body_of(body, request)
                lookups.desk_tournament(tournament_id=tournament_id, user=user, act=act)
                arguments = kwargs(tournament_id, data) if kwargs else data
            try:
                service(tournament_id=tournament_id, user=user, **arguments)
            except AffectsPairings as error:
                keys = [{"key": item.pairing.key} for item in error.affected]
                return Response({**error.as_json(), "affected": keys}, status=409)
            return version_response(tournament_id)

    DeskView.__doc__ = description
    DeskView.__name__ = DeskView.__qualname__ = "".join(part.capitalize() for part in operation_id.split("_"))
    return DeskView


def member_or_refused(name: str) -> User:
    """A member by name. Raises Refused("no_such_player")."""
    member = member_by_name(name)
    if member is None:
        raise Refused("no_such_player")
    return member
