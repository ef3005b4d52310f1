"""What an entrant does: enter, leave, check in, and tell how a match over the board ended."""

from __future__ import annotations

from typing import Any, ClassVar

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api import access, bodies
from accounts.api.views import ApiView, who
from games.api.common import whole
from tournaments import services
from tournaments.api.shapes import KEY, StepSerializer
from tournaments.models import Entrant, Tournament
from tournaments.selectors import entries
from tournaments.selectors.pages import tournament_named
from tournaments.services.conditions import LONGEST_PASSWORD

PLAY = access.member("play")
MOST_POINTS = 999
MOST_ENTRANTS = 2**15 - 1


def step(tournament_id: str, status: int = 200) -> Response:
    """Where the tournament stands now."""
    found = Tournament.objects.values("version", "phase").get(pk=tournament_id)
    return Response(found, status=status)


def key() -> serializers.CharField:
    """A pairing by its key."""
    return serializers.CharField(max_length=40, help_text=KEY)


def number(about: str = "An entrant by number.", **more: Any) -> serializers.IntegerField:
    """An entrant by number."""
    return whole(about, least=1, most=MOST_ENTRANTS, **{"required": True, **more})


class HalfPoints(serializers.FloatField):
    """Points of a match: whole numbers, or halves where games can be drawn."""

    def __init__(self, **more: Any) -> None:
        super().__init__(min_value=0, max_value=MOST_POINTS, **more)


class EntryBody(bodies.Body):
    """What lets one in, where the tournament asks for it, and a number for the draw of one's own."""

    password = serializers.CharField(required=False, default="", allow_blank=True, max_length=LONGEST_PASSWORD)
    invitation = serializers.CharField(required=False, default="", allow_blank=True, max_length=80)
    nonce = serializers.RegexField(
        r"^(|[0-9a-f]{64})\Z", required=False, default="", allow_blank=True, help_text="64 small hex digits."
    )


class EntrySerializer(serializers.Serializer[Any]):
    """How one is entered now."""

    number = serializers.IntegerField()
    waiting = serializers.BooleanField(help_text="For a place that becomes free.")
    checked_in = serializers.BooleanField()
    withdrawn = serializers.BooleanField()


def _entry(request: Request, tournament_id: str) -> Response:
    found = Entrant.objects.get(tournament=tournament_id, user=who(request))
    return Response(EntrySerializer(found).data)


class Enter(ApiView):
    """Enter a tournament, or come back to it. Who finds no place waits for one."""

    access: ClassVar = {"POST": PLAY}

    @extend_schema(request=EntryBody, responses=EntrySerializer, operation_id="tournament_enter", tags=["tournaments"])
    def post(self, request: Request, tournament_id: str) -> Response:
        said = bodies.body_of(EntryBody, request)
        services.entrant_register(tournament_id=tournament_id, user=who(request), **said)
        return _entry(request, tournament_id)


class Withdraw(ApiView):
    """Withdraw from a tournament."""

    access: ClassVar = {"POST": PLAY}

    @extend_schema(request=None, responses=EntrySerializer, operation_id="tournament_withdraw", tags=["tournaments"])
    def post(self, request: Request, tournament_id: str) -> Response:
        me = _number(request, tournament_id)
        services.entrant_withdraw(tournament_id=tournament_id, user=who(request), number=me)
        return _entry(request, tournament_id)


def _number(request: Request, tournament_id: str) -> int:
    """The viewer's number. Raises NotFound, Refused("not_entered")."""
    tournament_named(tournament_id)
    return entries.entrant_number(tournament_id=tournament_id, user=who(request))


class HereBody(bodies.Body):
    """Whether one is there, with a number for the draw of one's own."""

    here = serializers.BooleanField(required=False, default=True)
    nonce = serializers.RegexField(r"^(|[0-9a-f]{64})\Z", required=False, default="", allow_blank=True)


class CheckIn(ApiView):
    """Check in, or say that one is not there after all."""

    access: ClassVar = {"POST": PLAY}

    @extend_schema(
        request=HereBody, responses=EntrySerializer, operation_id="tournament_check_in", tags=["tournaments"]
    )
    def post(self, request: Request, tournament_id: str) -> Response:
        said = bodies.body_of(HereBody, request)
        me = _number(request, tournament_id)
        services.entrant_check_in(tournament_id=tournament_id, user=who(request), number=me, **said)
        return _entry(request, tournament_id)


class ScoreBody(bodies.Body):
    """Who won a pairing, and the points of the winner and of the loser."""

    key = key()
    winner = number("The number of the winner.")
    won = HalfPoints()
    lost = HalfPoints()


def two(said: dict[str, Any], first: int) -> tuple[float, float]:
    """The points of the first of a pairing, then of the other; whole ones as whole numbers."""
    won, lost = (int(value) if value == int(value) else value for value in (said["won"], said["lost"]))
    return (won, lost) if said["winner"] == first else (lost, won)


class _Story(ApiView):
    """A story of how a match ended."""

    access: ClassVar = {"POST": PLAY}

    def tell(self, request: Request, tournament_id: str, service: Any) -> Response:
        said = bodies.body_of(ScoreBody, request)
        tournament_named(tournament_id)
        first = entries.first_number(tournament_id=tournament_id, key=said["key"])
        points = two(said, first)
        user = who(request)
        service(tournament_id=tournament_id, user=user, key=said["key"], winner=said["winner"], points=points)
        return step(tournament_id)


class Report(_Story):
    """Tell how a match over the board ended; the rival confirms it."""

    @extend_schema(request=ScoreBody, responses=StepSerializer, operation_id="result_report", tags=["tournaments"])
    def post(self, request: Request, tournament_id: str) -> Response:
        return self.tell(request, tournament_id, services.result_report)


class Dispute(_Story):
    """Tell another story than one's rival: the director decides."""

    @extend_schema(request=ScoreBody, responses=StepSerializer, operation_id="result_dispute", tags=["tournaments"])
    def post(self, request: Request, tournament_id: str) -> Response:
        return self.tell(request, tournament_id, services.result_dispute)


class KeyBody(bodies.Body):
    """A pairing."""

    key = key()


class Confirm(ApiView):
    """Say that what the rival reported is so."""

    access: ClassVar = {"POST": PLAY}

    @extend_schema(request=KeyBody, responses=StepSerializer, operation_id="result_confirm", tags=["tournaments"])
    def post(self, request: Request, tournament_id: str) -> Response:
        said = bodies.body_of(KeyBody, request)
        services.result_confirm(tournament_id=tournament_id, user=who(request), key=said["key"])
        return step(tournament_id)
