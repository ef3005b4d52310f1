"""Results at the desk: entering, correcting, undoing, penalties. What would reset others is asked first."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api import bodies
from accounts.api.views import who
from games.api.common import choice, whole
from tournaments import services
from tournaments.api.desk import LONGEST_WHY, MOST_ACT, Act, told_by
from tournaments.api.entering import HalfPoints, key, number, two
from tournaments.api.shapes import StepSerializer
from tournaments.errors import Affects, Refused
from tournaments.selectors import entries
from tournaments.terms import LONGEST


class ResultBody(bodies.Body):
    """A result: a score (`played`), a `walkover` of the winner, or a `double` walkover, which nobody wins."""

    key = key()
    how = choice(("played", "walkover", "double"), required=False, default="played")
    winner = number("The number of the winner; nobody's in a double walkover.", required=False, allow_null=True)
    won = HalfPoints(required=False)
    lost = HalfPoints(required=False)
    why = serializers.CharField(required=False, default="", allow_blank=True, max_length=LONGEST_WHY)


class CorrectionBody(ResultBody):
    """Another result, and why the one before was wrong. `agreed`: the pairings that may be reset, as 409 named them."""

    why = serializers.CharField(max_length=LONGEST_WHY)
    agreed = serializers.ListField(
        child=serializers.CharField(max_length=40), required=False, allow_null=True, default=None, max_length=10_000
    )


def _result(tournament_id: str, said: dict[str, Any]) -> dict[str, Any]:
    """What the service takes of a result. Raises Refused: no_pairing, no_winner, no_score."""
    facts: dict[str, Any] = {
        name: said[name] for name in ("key", "why", "agreed") if name in said and (name != "why" or said["why"])
    }
    first = entries.first_number(tournament_id=tournament_id, key=said["key"])
    if said["how"] == "double":
        return {**facts, "winner": None, "how": "walkover"}
    if said.get("winner") is None:
        raise Refused("no_winner")
    if said["how"] == "walkover":
        return {**facts, "winner": said["winner"], "how": "walkover"}
    if "won" not in said or "lost" not in said:
        raise Refused("no_score")
    return {**facts, "winner": said["winner"], "points": two(said, first)}


Result = told_by("desk_result", services.result_enter, ResultBody, "Enter a result.", _result)


class ResetSerializer(serializers.Serializer[Any]):
    """A pairing that would be reset."""

    key = serializers.CharField()


class AffectedSerializer(serializers.Serializer[Any]):
    """Why nothing was changed; with `affected` come the pairings that would be reset: ask again with their keys."""

    code = serializers.CharField()
    ruling = serializers.CharField(allow_blank=True)
    text = serializers.CharField()
    affected = ResetSerializer(many=True, required=False)


class _Mending(Act):
    """An act that may reset other pairings, and then asks first."""

    def act(self, request: Request, tournament_id: str, service: Callable[..., object], **facts: Any) -> Response:
        try:
            return super().act(request, tournament_id, service, **facts)
        except Affects as shown:
            keys = [{"key": one.pairing.key} for one in shown.affected]
            return Response({**shown.as_json(), "affected": keys}, status=409)


class Correct(_Mending):
    """Correct a result. Where other pairings would be reset, they are named first (409 `affected`)."""

    @extend_schema(
        request=CorrectionBody,
        responses={200: StepSerializer, 409: AffectedSerializer},
        operation_id="desk_correct",
        tags=["desk"],
    )
    def post(self, request: Request, tournament_id: str) -> Response:
        said = bodies.body_of(CorrectionBody, request)
        entries.directed(tournament_id=tournament_id, user=who(request))
        return self.act(request, tournament_id, services.result_correct, **_result(tournament_id, said))


class RewriteBody(bodies.Body):
    """An act of the log by its number. `agreed`: the pairings that may be reset, as 409 named them."""

    act = whole("Its number.", least=1, most=MOST_ACT, required=True)
    agreed = serializers.ListField(
        child=serializers.CharField(max_length=40), required=False, allow_null=True, default=None, max_length=10_000
    )


class Undo(_Mending):
    """Take a line of the log back. Where other pairings would be reset, they are named first (409 `affected`)."""

    @extend_schema(
        request=RewriteBody,
        responses={200: StepSerializer, 409: AffectedSerializer},
        operation_id="desk_undo",
        tags=["desk"],
    )
    def post(self, request: Request, tournament_id: str) -> Response:
        return self.act(request, tournament_id, services.act_undo, **bodies.body_of(RewriteBody, request))


class Redo(_Mending):
    """Bring a line of the log back. Where other pairings would be reset, they are named first (409 `affected`)."""

    @extend_schema(
        request=RewriteBody,
        responses={200: StepSerializer, 409: AffectedSerializer},
        operation_id="desk_redo",
        tags=["desk"],
    )
    def post(self, request: Request, tournament_id: str) -> Response:
        return self.act(request, tournament_id, services.act_redo, **bodies.body_of(RewriteBody, request))


class PenaltyBody(bodies.Body):
    """Penalty points of an entrant in a pairing: the rival's lead."""

    key = key()
    number = number()
    points = whole("How many in all.", most=LONGEST, required=True)


class SettleBody(bodies.Body):
    """An alert."""

    what = serializers.CharField(max_length=20)
    key = serializers.CharField(required=False, default="", allow_blank=True, max_length=40)


Penalty = told_by("desk_penalty", services.penalty_give, PenaltyBody, "Give penalty points.")
Settle = told_by("desk_settle", services.alert_settle, SettleBody, "Say that an alert has been seen to.")
