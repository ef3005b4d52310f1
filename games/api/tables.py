"""The same play over HTTP: state, act, sync. Thin: parse, call one service or selector, answer."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, ClassVar

from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api import access, bodies
from accounts.api.views import ApiView, viewer, who
from games import events, orders, services
from games.api.common import cannot, choice, whole
from games.api.states import StateSerializer, SyncSerializer, TranscriptSerializer
from games.engine import Side
from games.errors import Refused, Stale
from games.selectors import dice, lists, table
from games.selectors.presence import match_pulse
from games.services import presence

STALE = cannot("It cannot be: `code` says why. With `stale` comes the `state`.")
LONGEST_ID = 40


@extend_schema_field({"type": "string", "pattern": "^[A-Za-z0-9-]{1,40}$"})
class IdField(serializers.CharField):
    """The name that a client gives its act. The service reads it, for it does the same for sockets."""


@extend_schema_field({"type": "string", "pattern": "^[0-9a-f]{64}$"})
class ElementField(serializers.CharField):
    """32 bytes in small hex; read by the service."""


@extend_schema_field({"type": "string", "pattern": "^(|[0-9a-f]{64})$"})
class MaybeElementField(serializers.CharField):
    """32 bytes in small hex, or nothing; read by the service."""


def _id() -> IdField:
    return IdField(max_length=LONGEST_ID, help_text="Makes a retry harmless: the same id gets the first answer.")


def _element(about: str) -> ElementField:
    return ElementField(max_length=64, required=False, help_text=about)


ELEMENT = re.compile(r"[0-9a-f]{64}", re.ASCII)
ELEMENTS = ("end", "commit", "nonce", "c")


class ActBody(bodies.Body):
    """One act, the same as the socket's frame."""

    id = _id()
    action = serializers.CharField(max_length=100, help_text="`roll`, `8/5 6/5`, `double`, `take`, `resign 1` ...")
    after = whole("The last version that you saw.")
    c = MaybeElementField(max_length=64, required=False, default="", allow_blank=True, help_text="Dice element.")


class AckSerializer(serializers.Serializer[Any]):
    """It is done: the version of the match after it."""

    version = serializers.IntegerField()


class IdBody(bodies.Body):
    """A step without anything to choose."""

    id = _id()


class DiceBody(bodies.Body):
    """What a seat gives for the dice: `end` and `commit`, `nonce` and `c`, `c`, or `order` (docs/protocol.md)."""

    id = _id()
    end = _element("The end of the seat's chain.")
    commit = _element("The commitment to its nonce.")
    nonce = _element("The nonce, once no hand is missing.")
    c = _element("The element for the opening roll that comes.")
    order = serializers.BooleanField(required=False, help_text="By correspondence: roll for me, with `c` once.")
    unless_double = serializers.BooleanField(required=False, help_text="With `order`: not where I could double.")


class OrderBody(bodies.Body):
    """What one says beforehand by correspondence (docs/protocol.md)."""

    id = _id()
    order = choice(orders.TEXTS, "`double drop`, `double take game`, `forced on` ...")
    after = whole("The version that you saw.")


class WhyQuery(bodies.Query):
    """A half-move, and those before it."""

    path = serializers.CharField(required=False, default="", allow_blank=True, max_length=100, help_text="`8/5`")
    attempt = serializers.CharField(required=False, default="", allow_blank=True, max_length=40, help_text="`13/7`")


class WhySerializer(serializers.Serializer[Any]):
    """Why a half-move is illegal; `code` is null when it is legal."""

    version = serializers.IntegerField()
    code = serializers.CharField(allow_null=True)
    ruling = serializers.CharField(allow_blank=True)
    text = serializers.CharField(allow_blank=True)


class SyncQuery(bodies.Query):
    """From where on."""

    after = whole("The last version that you saw.", default=0)


def _away(request: Request, match_id: str, side: Side | None) -> dict[str, Any]:
    """Who is away, as a `pong` says it on a socket. To ask is a sign of life of the seat that asks."""
    if side is not None:
        presence.heard(match_id, request.user.pk)
    pulse = match_pulse(match_id=match_id, user_id=request.user.pk)
    return {} if pulse.away is None else {"away": pulse.away}


class MatchState(ApiView):
    """The state of one match. Open to everyone, like the table itself; private parts only for the seat."""

    access: ClassVar = {"GET": access.public(kind="play")}

    @extend_schema(responses={200: StateSerializer}, operation_id="match_state", tags=["play"])
    def get(self, request: Request, match_id: str) -> Response:
        event, side = table.match_event(match_id=match_id, user_id=request.user.pk)
        return Response({**events.for_viewer(event, side, "state"), **_away(request, match_id, side)})


class MatchSync(ApiView):
    """What happened after a version, and the state now."""

    access: ClassVar = {"GET": access.public(kind="play")}

    @extend_schema(parameters=[SyncQuery], responses={200: SyncSerializer}, operation_id="match_sync", tags=["play"])
    def get(self, request: Request, match_id: str) -> Response:
        after = bodies.query_of(SyncQuery, request)["after"]
        event, side = table.match_sync(match_id=match_id, user_id=who(request).pk, after=after)
        return Response({**events.for_viewer(event, side, "actions"), **_away(request, match_id, side)})


class MatchAct(ApiView):
    """Act in a match: answered after the commit."""

    access: ClassVar = {"POST": access.player("play")}

    @extend_schema(request=ActBody, responses={200: AckSerializer, **STALE}, operation_id="match_act", tags=["play"])
    def post(self, request: Request, match_id: str) -> Response:
        act = bodies.body_of(ActBody, request)
        presence.heard(match_id, who(request).pk)
        try:
            answer = services.match_act(
                match_id=match_id,
                user_id=who(request).pk,
                action=act["action"],
                client_id=act["id"],
                after=act.get("after"),
                element=act["c"],
            )
        except Stale as stale:
            event, side = table.match_event(match_id=match_id, user_id=who(request).pk)
            return Response({**stale.as_json(), "state": events.for_viewer(event, side, "state")}, status=409)
        return Response({"version": answer.version})


class _OfTheAbsent(ApiView):
    """What a player does about a rival who is away. Answered after the commit; the same id again changes nothing."""

    access: ClassVar = {"POST": access.player("play")}

    def answer(self, request: Request, match_id: str, service: Callable[..., services.Answer]) -> Response:
        said = bodies.body_of(IdBody, request)
        answer = service(match_id=match_id, user_id=who(request).pk, client_id=said["id"])
        return Response({"version": answer.version})


class MatchClaim(_OfTheAbsent):
    """Win a match whose other player is away, once his countdown has ended and it is his turn."""

    @extend_schema(request=IdBody, responses={200: AckSerializer}, operation_id="match_claim", tags=["play"])
    def post(self, request: Request, match_id: str) -> Response:
        return self.answer(request, match_id, services.match_claim)


class MatchAdjourn(_OfTheAbsent):
    """Adjourn a match whose other player is away, once his countdown has ended and it is his turn."""

    @extend_schema(request=IdBody, responses={200: AckSerializer}, operation_id="match_adjourn", tags=["play"])
    def post(self, request: Request, match_id: str) -> Response:
        return self.answer(request, match_id, services.match_adjourn)


class MatchGoOn(ApiView):
    """Say that one wants to go on with an adjourned match: it goes on when both players have said so."""

    access: ClassVar = {"POST": access.player("play")}

    @extend_schema(request=None, responses={200: AckSerializer}, operation_id="match_go_on", tags=["play"])
    def post(self, request: Request, match_id: str) -> Response:
        answer = services.match_go_on(match_id=match_id, user_id=who(request).pk)
        return Response({"version": answer.version})


class MatchDice(ApiView):
    """The dice: their transcript so far, open to everyone; and what a seat gives for them."""

    access: ClassVar = {"GET": access.public(), "POST": access.player("play")}

    @extend_schema(responses={200: TranscriptSerializer}, operation_id="match_dice", tags=["play"])
    def get(self, request: Request, match_id: str) -> Response:
        return Response(dice.transcript_of(lists.match_seen(match_id=match_id, user=viewer(request))))

    @extend_schema(request=DiceBody, responses={200: AckSerializer}, operation_id="match_dice_give", tags=["play"])
    def post(self, request: Request, match_id: str) -> Response:
        given = bodies.body_of(DiceBody, request)
        try:
            version = services.dice_give(match_id=match_id, user_id=who(request).pk, given=given)
        except Refused as refused:
            if refused.code == "element" and all(ELEMENT.fullmatch(given[name]) for name in ELEMENTS if name in given):
                refused.status = 409  # nothing is misspelt: something is missing
            raise
        return Response({"version": version})


class MatchOrder(ApiView):
    """What a player by correspondence says beforehand. Nobody else is told of it."""

    access: ClassVar = {"POST": access.player("play")}

    @extend_schema(
        request=OrderBody, responses={200: AckSerializer, **STALE}, operation_id="match_order", tags=["play"]
    )
    def post(self, request: Request, match_id: str) -> Response:
        said = bodies.body_of(OrderBody, request)
        user_id = who(request).pk
        try:
            answer = services.match_order(
                match_id=match_id, user_id=user_id, client_id=said["id"], order=said["order"], after=said.get("after")
            )
        except Stale as stale:
            event, side = table.match_event(match_id=match_id, user_id=user_id)
            return Response({**stale.as_json(), "state": events.for_viewer(event, side, "state")}, status=409)
        return Response({"version": answer.version})


class MatchWhy(ApiView):
    """Why a half-move is illegal."""

    access: ClassVar = {"GET": access.player("read")}

    @extend_schema(
        parameters=[WhyQuery], responses={200: WhySerializer, **cannot()}, operation_id="match_why", tags=["play"]
    )
    def get(self, request: Request, match_id: str) -> Response:
        said = bodies.query_of(WhyQuery, request)
        _, side = table.match_event(match_id=match_id, user_id=who(request).pk)
        version, refusal = table.match_why(
            match_id=match_id,
            side=side,
            path=said["path"],
            attempt=said["attempt"],
        )
        reason = refusal.as_json() if refusal else {"code": None, "ruling": "", "text": ""}
        return Response({"version": version, **reason})
