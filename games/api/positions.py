"""Positions of backgammon by the ids that people paste. Thin; nothing here writes."""

from __future__ import annotations

from typing import Any, ClassVar

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api import access, bodies
from accounts.api.views import ApiView
from games.api.boards import PointsPositionSerializer
from games.api.common import cannot
from games.api.states import ScoreSerializer
from games.errors import Refused
from games.formats import position as ids
from games.formats.errors import FormatError
from games.registry import ILLEGAL


class PositionQuery(bodies.Query):
    """A position by its id."""

    id = serializers.CharField(
        max_length=ids.LONGEST, help_text="An XGID, or position and match id of GNU Backgammon with a colon between."
    )


class PositionWhyQuery(PositionQuery):
    path = serializers.CharField(required=False, default="", allow_blank=True, max_length=100, help_text="`8/5`")
    attempt = serializers.CharField(required=False, default="", allow_blank=True, max_length=40, help_text="`13/7`")


class PositionFactsSerializer(serializers.Serializer[Any]):
    """A position: what a board draws, its ids, what can be done, and the legal plays of its dice."""

    xgid = serializers.CharField()
    gnubg = serializers.CharField(allow_null=True, help_text="Null where its cube or score is too high for one.")
    turn = serializers.CharField()
    position = PointsPositionSerializer()
    score = ScoreSerializer()
    may = serializers.ListField(child=serializers.CharField())
    plays = serializers.ListField(child=serializers.CharField())
    diagram = serializers.CharField()


class PositionWhySerializer(serializers.Serializer[Any]):
    """Why a half-move is illegal in a position; `code` is null when it is legal."""

    code = serializers.CharField(allow_null=True)
    ruling = serializers.CharField(allow_blank=True)
    text = serializers.CharField(allow_blank=True)


class Position(ApiView):
    """A position of backgammon by its id: board, ids, score, what can be done, and the legal plays of its dice."""

    access: ClassVar = {"GET": access.public()}

    @extend_schema(
        parameters=[PositionQuery],
        responses={200: PositionFactsSerializer, **cannot()},
        operation_id="position",
        tags=["positions"],
    )
    def get(self, request: Request) -> Response:
        found = read(bodies.query_of(PositionQuery, request)["id"])
        view = found.view(found.turn)
        return Response(
            {
                "xgid": found.xgid(),
                "gnubg": _gnubg(found),
                "turn": found.turn,
                "position": view,
                "score": found.score.view(),
                "may": found.may(found.turn),
                "plays": [] if view["dice"] is None else list(found.actions()),
                "diagram": found.diagram("white"),
            }
        )


class PositionWhy(ApiView):
    """Why a half-move is illegal in a position, with the ruling that says so."""

    access: ClassVar = {"GET": access.public()}

    @extend_schema(
        parameters=[PositionWhyQuery],
        responses={200: PositionWhySerializer, **cannot()},
        operation_id="position_why",
        tags=["positions"],
    )
    def get(self, request: Request) -> Response:
        said = bodies.query_of(PositionWhyQuery, request)
        found = read(said["id"])
        if found.view(None)["phase"] != "move":
            raise Refused("not_now")
        try:
            reason = found.why(said["path"], said["attempt"])
        except ILLEGAL as error:
            raise Refused("bad_action") from error
        if reason is None:
            return Response({"code": None, "ruling": "", "text": ""})
        return Response(Refused(reason["code"], ruling=reason["ruling"], params=dict(reason["params"])).as_json())


def read(text: str) -> Any:
    """The position of an id. Raises Refused("position_id")."""
    try:
        return ids.read(text)
    except FormatError:
        pass
    try:
        return ids.read(text.replace(" ", "+"))  # what a plus sign becomes in an address written by hand
    except FormatError as error:
        raise Refused("position_id") from error


def _gnubg(found: Any) -> str | None:
    try:
        return ":".join(found.gnubg_ids())
    except ValueError:  # an XGID can hold a higher cube and a longer match
        return None
