"""Play over HTTP: the state of a match, actions, and syncing."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, ClassVar

from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api import access, bodies
from accounts.api.views import ApiView, current_user, viewer
from games import events, orders, services, traces
from games.api.fields import choice, conflict_response, integer
from games.api.state_serializers import StateSerializer, SyncSerializer, TranscriptSerializer
from games.engine import Json, Side
from games.errors import Refused, Stale
from games.frames import ELEMENT, parse_dice
from games.selectors import dice_proofs, match_state
from games.selectors.heartbeats import match_heartbeat
from games.selectors.matches import visible_match
from games.services import presence

STALE = conflict_response("Refused: `code` says why. A `stale` refusal includes the `state`.")
LONGEST_ID = 40


@extend_schema_field({"type": "string", "pattern": "^[A-Za-z0-9-]{1,40}$"})
class IdField(serializers.CharField):
    """The id that a client gives its action; validated by the service, as for sockets."""


@extend_schema_field({"type": "string", "pattern": "^[0-9a-f]{64}$"})
class ElementField(serializers.CharField):
    """32 bytes in lower-case hex; validated by the service."""


@extend_schema_field({"type": "string", "pattern": "^(|[0-9a-f]{64})$"})
class OptionalElementField(serializers.CharField):
    """32 bytes in lower-case hex, or empty; validated by the service."""


def _id() -> IdField:
    return IdField(max_length=LONGEST_ID, help_text="Makes a retry harmless: the same id gets the first answer.")


def _element(about: str) -> ElementField:
    return ElementField(max_length=64, required=False, help_text=about)


ELEMENTS = ("end", "commit", "nonce", "c")


class ActBody(bodies.Body):
    """One action, as in the socket's frame."""

    id = _id()
    action = serializers.CharField(max_length=100, help_text="`roll`, `8/5 6/5`, `double`, `take`, `resign 1` ...")
    after = integer("The last version that you saw.")
    c = OptionalElementField(max_length=64, required=False, default="", allow_blank=True, help_text="Dice element.")


class AckSerializer(serializers.Serializer[Any]):
    """The version of the match after the request."""

    version = serializers.IntegerField()


class IdBody(bodies.Body):
    """A request without parameters."""

    id = _id()


class DiceBody(bodies.Body):
    """The dice contribution of a seat: `end` and `commit`, `nonce` and `c`, `c`, or `order` (docs/protocol.md)."""

    id = _id()
    end = _element("The end of the seat's chain.")
    commit = _element("The commitment to its nonce.")
    nonce = _element("The nonce, once both seats have committed.")
    c = _element("The element for the next opening roll.")
    order = serializers.BooleanField(required=False, help_text="By correspondence: roll for me, with `c` next.")
    unless_double = serializers.BooleanField(required=False, help_text="With `order`: not when I could double.")


class OrderBody(bodies.Body):
    """A conditional order in a correspondence match (docs/protocol.md)."""

    id = _id()
    order = choice(orders.ORDER_TEXTS, "`double drop`, `double take game`, `forced on` ...")
    after = integer("The version that you saw.")


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
    """The first action."""

    after = integer("The last version that you saw.", default=0)


def _presence(request: Request, match_id: str, side: Side | None) -> dict[str, Any]:
    """The players who are away, as in a socket's `pong`; the request itself counts as a sign of life of its seat."""
    if side is not None:
        presence.seat_seen(match_id, request.user.pk)
    heartbeat = match_heartbeat(match_id=match_id, user_id=request.user.pk)
    return {} if heartbeat.away is None else {"away": heartbeat.away}


def _stale_response(request: Request, match_id: str, stale: Stale) -> Response:
    """The refusal of a stale action, with the present state of the match."""
    event, side = match_state.match_event(match_id=match_id, user_id=current_user(request).pk)
    return Response({**stale.as_json(), "state": events.for_viewer(event, side, "state")}, status=409)


class MatchState(ApiView):
    """The state of one match. Public like the match page; private parts only for the seat."""

    access: ClassVar = {"GET": access.public(kind="play")}

    @extend_schema(responses={200: StateSerializer}, operation_id="match_state", tags=["play"])
    def get(self, request: Request, match_id: str) -> Response:
        event, side = match_state.match_event(match_id=match_id, user_id=request.user.pk)
        return Response({**events.for_viewer(event, side, "state"), **_presence(request, match_id, side)})


class MatchSync(ApiView):
    """The actions after a version, and the present state."""

    access: ClassVar = {"GET": access.public(kind="play")}

    @extend_schema(parameters=[SyncQuery], responses={200: SyncSerializer}, operation_id="match_sync", tags=["play"])
    def get(self, request: Request, match_id: str) -> Response:
        after = bodies.query_of(SyncQuery, request)["after"]
        event, side = match_state.match_sync(match_id=match_id, user_id=current_user(request).pk, after=after)
        return Response({**events.for_viewer(event, side, "actions"), **_presence(request, match_id, side)})


class MatchAct(ApiView):
    """Take an action in a match; answered after the commit."""

    access: ClassVar = {"POST": access.player("play")}

    @extend_schema(request=ActBody, responses={200: AckSerializer, **STALE}, operation_id="match_act", tags=["play"])
    def post(self, request: Request, match_id: str) -> Response:
        act = bodies.body_of(ActBody, request)
        presence.seat_seen(match_id, current_user(request).pk)
        try:
            if traces.active is None:
                answer = _act(request, match_id, act)
            else:
                received = time.monotonic()
                with traces.active.act(match_id, act["action"], source="request", received_at=received) as trace:
                    answer = _act(request, match_id, act)
                    trace.answered(answer.version)
        except Stale as stale:
            return _stale_response(request, match_id, stale)
        return Response({"version": answer.version})


def _act(request: Request, match_id: str, act: Json) -> services.Answer:
    return services.match_act(
        match_id=match_id,
        user_id=current_user(request).pk,
        action=act["action"],
        client_id=act["id"],
        after=act.get("after"),
        element=act["c"],
    )


class _AbsenceAction(ApiView):
    """An action against an absent opponent. Answered after the commit; repeating the same id changes nothing."""

    access: ClassVar = {"POST": access.player("play")}

    def answer(self, request: Request, match_id: str, service: Callable[..., services.Answer]) -> Response:
        body = bodies.body_of(IdBody, request)
        answer = service(match_id=match_id, user_id=current_user(request).pk, client_id=body["id"])
        return Response({"version": answer.version})


class MatchClaim(_AbsenceAction):
    """Claim the win against an absent opponent, once their countdown has ended on their turn."""

    @extend_schema(request=IdBody, responses={200: AckSerializer}, operation_id="match_claim", tags=["play"])
    def post(self, request: Request, match_id: str) -> Response:
        return self.answer(request, match_id, services.match_claim)


class MatchAdjourn(_AbsenceAction):
    """Adjourn the match against an absent opponent, once their countdown has ended on their turn."""

    @extend_schema(request=IdBody, responses={200: AckSerializer}, operation_id="match_adjourn", tags=["play"])
    def post(self, request: Request, match_id: str) -> Response:
        return self.answer(request, match_id, services.match_adjourn)


class MatchGoOn(ApiView):
    """Ask to resume an adjourned match: it continues when both players have asked."""

    access: ClassVar = {"POST": access.player("play")}

    @extend_schema(request=None, responses={200: AckSerializer}, operation_id="match_go_on", tags=["play"])
    def post(self, request: Request, match_id: str) -> Response:
        answer = services.match_go_on(match_id=match_id, user_id=current_user(request).pk)
        return Response({"version": answer.version})


class MatchDice(ApiView):
    """The dice: their public transcript so far, and the contributions of a seat."""

    access: ClassVar = {"GET": access.public(), "POST": access.player("play")}

    @extend_schema(responses={200: TranscriptSerializer}, operation_id="match_dice", tags=["play"])
    def get(self, request: Request, match_id: str) -> Response:
        return Response(dice_proofs.transcript_of(visible_match(match_id=match_id, user=viewer(request))))

    @extend_schema(request=DiceBody, responses={200: AckSerializer}, operation_id="match_dice_give", tags=["play"])
    def post(self, request: Request, match_id: str) -> Response:
        body = bodies.body_of(DiceBody, request)
        try:
            frame = parse_dice(body)
            version = services.dice_give(match_id=match_id, user_id=current_user(request).pk, frame=frame)
        except Refused as refused:
            if refused.code == "element" and all(ELEMENT.fullmatch(body[name]) for name in ELEMENTS if name in body):
                refused.status = 409  # nothing is misspelt: something is missing
            raise
        return Response({"version": version})


class MatchOrder(ApiView):
    """Set a conditional order in a correspondence match. It is private."""

    access: ClassVar = {"POST": access.player("play")}

    @extend_schema(
        request=OrderBody, responses={200: AckSerializer, **STALE}, operation_id="match_order", tags=["play"]
    )
    def post(self, request: Request, match_id: str) -> Response:
        body = bodies.body_of(OrderBody, request)
        user_id = current_user(request).pk
        try:
            answer = services.match_order(
                match_id=match_id, user_id=user_id, client_id=body["id"], order=body["order"], after=body.get("after")
            )
        except Stale as stale:
            return _stale_response(request, match_id, stale)
        return Response({"version": answer.version})


class MatchWhy(ApiView):
    """Why a half-move is illegal."""

    access: ClassVar = {"GET": access.player("read")}

    @extend_schema(
        parameters=[WhyQuery],
        responses={200: WhySerializer, **conflict_response()},
        operation_id="match_why",
        tags=["play"],
    )
    def get(self, request: Request, match_id: str) -> Response:
        query = bodies.query_of(WhyQuery, request)
        _, side = match_state.match_event(match_id=match_id, user_id=current_user(request).pk)
        version, refusal = match_state.explain_half_move(
            match_id=match_id,
            side=side,
            path=query["path"],
            attempt=query["attempt"],
        )
        reason = refusal.as_json() if refusal else {"code": None, "ruling": "", "text": ""}
        return Response({"version": version, **reason})
