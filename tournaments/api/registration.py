"""Registration by the players themselves: enter, withdraw, check in."""

from __future__ import annotations

from typing import Any, ClassVar

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api import access, bodies
from accounts.api.views import ApiView, current_user
from tournaments import services
from tournaments.models import Entrant
from tournaments.selectors import lookups
from tournaments.selectors.tournament_page import tournament_or_not_found
from tournaments.services.entry_conditions import LONGEST_PASSWORD

PLAY = access.member("play")


class EntryBody(bodies.Body):
    """The password or invitation, where the tournament requires one, and a nonce for the draw."""

    password = serializers.CharField(required=False, default="", allow_blank=True, max_length=LONGEST_PASSWORD)
    invitation = serializers.CharField(required=False, default="", allow_blank=True, max_length=80)
    nonce = serializers.RegexField(
        r"^(|[0-9a-f]{64})\Z", required=False, default="", allow_blank=True, help_text="64 lowercase hex digits."
    )


class EntrySerializer(serializers.Serializer[Any]):
    """The viewer's entry."""

    number = serializers.IntegerField()
    waiting = serializers.BooleanField(help_text="On the waiting list.")
    checked_in = serializers.BooleanField()
    withdrawn = serializers.BooleanField()


def _entry(request: Request, tournament_id: str) -> Response:
    found = Entrant.objects.get(tournament=tournament_id, user=current_user(request))
    return Response(EntrySerializer(found).data)


class Enter(ApiView):
    """Enter a tournament, or enter it again after a withdrawal; a full one puts the entrant on the waiting list."""

    access: ClassVar = {"POST": PLAY}

    @extend_schema(request=EntryBody, responses=EntrySerializer, operation_id="tournament_enter", tags=["tournaments"])
    def post(self, request: Request, tournament_id: str) -> Response:
        data = bodies.body_of(EntryBody, request)
        services.entrant_register(tournament_id=tournament_id, user=current_user(request), **data)
        return _entry(request, tournament_id)


class Withdraw(ApiView):
    """Withdraw from a tournament."""

    access: ClassVar = {"POST": PLAY}

    @extend_schema(request=None, responses=EntrySerializer, operation_id="tournament_withdraw", tags=["tournaments"])
    def post(self, request: Request, tournament_id: str) -> Response:
        number = _viewer_number(request, tournament_id)
        services.entrant_withdraw(tournament_id=tournament_id, user=current_user(request), number=number)
        return _entry(request, tournament_id)


def _viewer_number(request: Request, tournament_id: str) -> int:
    """The viewer's entrant number. Raises NotFound, Refused("not_entered")."""
    tournament_or_not_found(tournament_id)
    return lookups.entrant_number(tournament_id=tournament_id, user=current_user(request))


class CheckInBody(bodies.Body):
    """Whether to check in or out, and a nonce for the draw."""

    here = serializers.BooleanField(required=False, default=True)
    nonce = serializers.RegexField(r"^(|[0-9a-f]{64})\Z", required=False, default="", allow_blank=True)


class CheckIn(ApiView):
    """Check in, or out again."""

    access: ClassVar = {"POST": PLAY}

    @extend_schema(
        request=CheckInBody, responses=EntrySerializer, operation_id="tournament_check_in", tags=["tournaments"]
    )
    def post(self, request: Request, tournament_id: str) -> Response:
        data = bodies.body_of(CheckInBody, request)
        number = _viewer_number(request, tournament_id)
        services.entrant_check_in(tournament_id=tournament_id, user=current_user(request), number=number, **data)
        return _entry(request, tournament_id)
