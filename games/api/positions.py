"""Positions of backgammon by XGID or GNU Backgammon id. Read only."""

from __future__ import annotations

from typing import Any, ClassVar

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api import access, bodies
from accounts.api.views import ApiView
from games.api.fields import conflict_response
from games.api.position_serializers import PointsPositionSerializer
from games.api.state_serializers import ScoreSerializer
from games.errors import Refused
from games.formats import position_ids as ids
from games.formats.errors import FormatError
from games.registry import ILLEGAL


class PositionQuery(bodies.Query):
    """A position by its id."""

    id = serializers.CharField(
        max_length=ids.LONGEST, help_text="An XGID, or a GNU Backgammon position and match id joined by a colon."
    )


class PositionWhyQuery(PositionQuery):
    path = serializers.CharField(required=False, default="", allow_blank=True, max_length=100, help_text="`8/5`")
    attempt = serializers.CharField(required=False, default="", allow_blank=True, max_length=40, help_text="`13/7`")


class PositionDetailsSerializer(serializers.Serializer[Any]):
    """A position: its view, ids, possible actions, and the legal plays of its dice."""

    xgid = serializers.CharField()
    gnubg = serializers.CharField(allow_null=True, help_text="Null if the cube or the score is too high for one.")
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
    """A position of backgammon by its id: board, ids, score, possible actions, and the legal plays of its dice."""

    access: ClassVar = {"GET": access.public()}

    @extend_schema(
        parameters=[PositionQuery],
        responses={200: PositionDetailsSerializer, **conflict_response()},
        operation_id="position",
        tags=["positions"],
    )
    def get(self, request: Request) -> Response:
        found = parse_position(bodies.query_of(PositionQuery, request)["id"])
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
    """Why a half-move is illegal in a position, with the ruling."""

    access: ClassVar = {"GET": access.public()}

    @extend_schema(
        parameters=[PositionWhyQuery],
        responses={200: PositionWhySerializer, **conflict_response()},
        operation_id="position_why",
        tags=["positions"],
    )
    def get(self, request: Request) -> Response:
        query = bodies.query_of(PositionWhyQuery, request)
        found = parse_position(query["id"])
        if found.view(None)["phase"] != "move":
            raise Refused("not_now")
        try:
            reason = found.why(query["path"], query["attempt"])
        except ILLEGAL as error:
            raise Refused("bad_action") from error
        if reason is None:
            return Response({"code": None, "ruling": "", "text": ""})
        return Response(Refused(reason["code"], ruling=reason["ruling"], params=dict(reason["params"])).as_json())


def parse_position(text: str) -> Any:
    """Parse a position id. Raises Refused("position_id")."""
    try:
        return ids.read(text)
    except FormatError:
        pass
    try:
        return ids.read(text.replace(" ", "+"))  # a plus sign in a URL decodes to a space
    except FormatError as error:
        raise Refused("position_id") from error


def _gnubg(found: Any) -> str | None:
    try:
        return ":".join(found.gnubg_ids())
    except ValueError:  # an XGID allows a higher cube and a longer match
        return None
