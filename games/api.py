"""The same play over HTTP: state, act, sync. Thin: parse, call one service or selector, answer."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import permissions, serializers, status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView, exception_handler

from games import events, services
from games.engine import Side
from games.errors import KeptOut, NotFound, Refused, Stale
from games.selectors import dice, lists, table
from games.selectors.presence import match_pulse
from games.services import presence


def refusal_handler(error: Exception, context: dict[str, Any]) -> Response | None:
    """A refusal is an answer: 404 for what is not there, 403 for a stranger and who is kept out, 409 for the rest."""
    if isinstance(error, Refused):
        code: int = status.HTTP_409_CONFLICT
        if isinstance(error, KeptOut) or error.code == "not_seated":
            code = status.HTTP_403_FORBIDDEN
        elif isinstance(error, NotFound):
            code = status.HTTP_404_NOT_FOUND
        elif error.code in BAD_FORM:
            code = status.HTTP_400_BAD_REQUEST
        return Response(error.as_json(), status=code)
    return exception_handler(error, context)


BAD_FORM = frozenset({"bad_action", "bad_id", "bad_version", "bad_order", "element", "bad_frame"})


class ActSerializer(serializers.Serializer[Any]):
    """One act, the same as the socket's frame."""

    id = serializers.CharField(max_length=40, help_text="Makes a retry harmless: the same id gets the first answer.")
    action = serializers.CharField(max_length=100, help_text="`roll`, `8/5 6/5`, `double`, `take`, `resign 1` ...")
    after = serializers.IntegerField(min_value=0, required=False, help_text="The last version that you saw.")
    c = serializers.CharField(max_length=64, required=False, default="", allow_blank=True, help_text="Dice element.")


class RefusalSerializer(serializers.Serializer[Any]):
    """Why nothing was changed."""

    code = serializers.CharField()
    ruling = serializers.CharField(allow_blank=True)
    text = serializers.CharField()


class AckSerializer(serializers.Serializer[Any]):
    version = serializers.IntegerField()


class IdSerializer(serializers.Serializer[Any]):
    """A step without anything to choose."""

    id = serializers.CharField(max_length=40, help_text="Makes a retry harmless: the same id gets the first answer.")


UNSEEN = {403: RefusalSerializer, 404: RefusalSerializer}
ANSWERS = {200: AckSerializer, 400: RefusalSerializer, 403: RefusalSerializer, 409: RefusalSerializer}


class StateSerializer(serializers.Serializer[Any]):
    """The match as this viewer may see it (docs/protocol.md)."""

    t = serializers.CharField()
    version = serializers.IntegerField()
    you = serializers.CharField(allow_null=True)
    may = serializers.ListField(child=serializers.CharField())
    match = serializers.DictField()
    position = serializers.DictField(allow_null=True)
    offer = serializers.DictField(allow_null=True)
    ready = serializers.ListField(child=serializers.CharField())
    last = serializers.DictField(allow_null=True)
    ended = serializers.DictField(allow_null=True)
    clock = serializers.DictField(allow_null=True)
    paused = serializers.DictField(allow_null=True)
    away = serializers.DictField(required=False, help_text="Only in a match that is played live.")
    dice = serializers.DictField(allow_null=True)


class DiceSerializer(serializers.Serializer[Any]):
    """What a seat gives for the dice: `end` and `commit`, `nonce` and `c`, `c`, or `order` (docs/protocol.md)."""

    id = serializers.CharField(max_length=40)
    end = serializers.CharField(max_length=64, required=False, help_text="The end of the seat's chain.")
    commit = serializers.CharField(max_length=64, required=False, help_text="The commitment to its nonce.")
    nonce = serializers.CharField(max_length=64, required=False, help_text="The nonce, once no hand is missing.")
    c = serializers.CharField(max_length=64, required=False, help_text="The element for the opening roll that comes.")
    order = serializers.BooleanField(required=False, help_text="By correspondence: roll for me, with `c` once.")
    unless_double = serializers.BooleanField(required=False, help_text="With `order`: not where I could double.")


class OrderSerializer(serializers.Serializer[Any]):
    """What one says beforehand by correspondence (docs/protocol.md)."""

    id = serializers.CharField(max_length=40, help_text="Makes a retry harmless: the same id gets the first answer.")
    order = serializers.CharField(max_length=20, help_text="`double drop`, `double take game`, `forced on` ...")
    after = serializers.IntegerField(min_value=0, required=False, help_text="The version that you saw.")


class TranscriptSerializer(serializers.Serializer[Any]):
    """The promises and every roll so far (bgdice/1), for docs/verify_dice.py; `v` is null where nothing is proved."""

    v = serializers.CharField(allow_null=True)
    match = serializers.CharField()
    rolls = serializers.ListField(child=serializers.DictField())


def _away(request: Request, match_id: str, side: Side | None) -> dict[str, Any]:
    """Who is away, as a `pong` says it on a socket. To ask is a sign of life of the seat that asks."""
    if side is not None:
        presence.heard(match_id, request.user.pk)
    pulse = match_pulse(match_id=match_id, user_id=request.user.pk)
    return {} if pulse.away is None else {"away": pulse.away}


class MatchState(APIView):
    """The state of one match. Open to everyone, like the table itself; private parts only for the seat."""

    permission_classes = (permissions.AllowAny,)

    @extend_schema(responses={200: StateSerializer, **UNSEEN}, operation_id="match_state")
    def get(self, request: Request, match_id: str) -> Response:
        event, side = table.match_event(match_id=match_id, user_id=request.user.pk)
        return Response({**events.for_viewer(event, side, "state"), **_away(request, match_id, side)})


class MatchSync(APIView):
    """What happened after a version, and the state now."""

    permission_classes = (permissions.AllowAny,)

    @extend_schema(
        parameters=[OpenApiParameter("after", int, description="The last version that you saw.")],
        responses={200: StateSerializer, 400: RefusalSerializer, **UNSEEN},
        operation_id="match_sync",
    )
    def get(self, request: Request, match_id: str) -> Response:
        after = request.query_params.get("after", "0")
        if not after.isascii() or not after.isdigit() or len(after) > 9:
            raise Refused("bad_version")
        event, side = table.match_sync(match_id=match_id, user_id=request.user.pk, after=int(after))
        return Response({**events.for_viewer(event, side, "actions"), **_away(request, match_id, side)})


class MatchAct(APIView):
    """Act in a match: answered after the commit."""

    permission_classes = (permissions.IsAuthenticated,)

    @extend_schema(
        request=ActSerializer,
        responses={200: AckSerializer, 400: RefusalSerializer, 403: RefusalSerializer, 409: RefusalSerializer},
        operation_id="match_act",
    )
    def post(self, request: Request, match_id: str) -> Response:
        form = ActSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        act = form.validated_data
        presence.heard(match_id, request.user.pk)
        try:
            answer = services.match_act(
                match_id=match_id,
                user_id=request.user.pk,
                action=act["action"],
                client_id=act["id"],
                after=act.get("after"),
                element=act["c"],
            )
        except Stale as stale:
            event, side = table.match_event(match_id=match_id, user_id=request.user.pk)
            return Response({**stale.as_json(), "state": events.for_viewer(event, side, "state")}, status=409)
        return Response({"version": answer.version})


class _OfTheAbsent(APIView):
    """What a player does about a rival who is away. Answered after the commit; the same id again changes nothing."""

    permission_classes = (permissions.IsAuthenticated,)

    def answer(self, request: Request, match_id: str, service: Callable[..., services.Answer]) -> Response:
        form = IdSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        answer = service(match_id=match_id, user_id=request.user.pk, client_id=form.validated_data["id"])
        return Response({"version": answer.version})


class MatchClaim(_OfTheAbsent):
    """Win a match whose other player is away, once his countdown has ended and it is his turn."""

    @extend_schema(request=IdSerializer, responses=ANSWERS, operation_id="match_claim")
    def post(self, request: Request, match_id: str) -> Response:
        return self.answer(request, match_id, services.match_claim)


class MatchAdjourn(_OfTheAbsent):
    """Adjourn a match whose other player is away, once his countdown has ended and it is his turn."""

    @extend_schema(request=IdSerializer, responses=ANSWERS, operation_id="match_adjourn")
    def post(self, request: Request, match_id: str) -> Response:
        return self.answer(request, match_id, services.match_adjourn)


class MatchGoOn(APIView):
    """Say that one wants to go on with an adjourned match: it goes on when both players have said so."""

    permission_classes = (permissions.IsAuthenticated,)

    @extend_schema(request=None, responses=ANSWERS, operation_id="match_go_on")
    def post(self, request: Request, match_id: str) -> Response:
        answer = services.match_go_on(match_id=match_id, user_id=request.user.pk)
        return Response({"version": answer.version})


class MatchDice(APIView):
    """The dice: their transcript so far, open to everyone; and what a seat gives for them."""

    permission_classes = (permissions.IsAuthenticatedOrReadOnly,)

    @extend_schema(responses={200: TranscriptSerializer, **UNSEEN}, operation_id="match_dice")
    def get(self, request: Request, match_id: str) -> Response:
        user = request.user if request.user.is_authenticated else None
        return Response(dice.transcript_of(lists.match_seen(match_id=match_id, user=user)))

    @extend_schema(
        request=DiceSerializer,
        responses={200: AckSerializer, 400: RefusalSerializer, 403: RefusalSerializer, 409: RefusalSerializer},
        operation_id="match_dice_give",
    )
    def post(self, request: Request, match_id: str) -> Response:
        form = DiceSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        version = services.dice_give(match_id=match_id, user_id=request.user.pk, given=form.validated_data)
        return Response({"version": version})


class MatchOrder(APIView):
    """What a player by correspondence says beforehand. Nobody else is told of it."""

    permission_classes = (permissions.IsAuthenticated,)

    @extend_schema(request=OrderSerializer, responses=ANSWERS, operation_id="match_order")
    def post(self, request: Request, match_id: str) -> Response:
        form = OrderSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        said = form.validated_data
        user_id = request.user.pk
        try:
            answer = services.match_order(
                match_id=match_id, user_id=user_id, client_id=said["id"], order=said["order"], after=said.get("after")
            )
        except Stale as stale:
            event, side = table.match_event(match_id=match_id, user_id=user_id)
            return Response({**stale.as_json(), "state": events.for_viewer(event, side, "state")}, status=409)
        return Response({"version": answer.version})


class MatchWhy(APIView):
    """Why a half-move is illegal."""

    permission_classes = (permissions.IsAuthenticated,)

    @extend_schema(
        parameters=[OpenApiParameter("path", str), OpenApiParameter("attempt", str)],
        responses={200: RefusalSerializer},
        operation_id="match_why",
    )
    def get(self, request: Request, match_id: str) -> Response:
        _, side = table.match_event(match_id=match_id, user_id=request.user.pk)
        version, refusal = table.match_why(
            match_id=match_id,
            side=side,
            path=request.query_params.get("path", ""),
            attempt=request.query_params.get("attempt", ""),
        )
        reason = refusal.as_json() if refusal else {"code": None, "ruling": "", "text": ""}
        return Response({"version": version, **reason})
