"""Serializers of positions, for each family of games (docs/protocol.md)."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import PolymorphicProxySerializer, extend_schema_field
from rest_framework import serializers

SIDES = [("white", "white"), ("black", "black")]


def side(**more: Any) -> serializers.ChoiceField:
    """White or black."""
    return serializers.ChoiceField(choices=SIDES, **more)


class CheckersSerializer(serializers.Serializer[Any]):
    """One player's checkers in that player's numbering: `points[n-1]` are on the n-point."""

    points = serializers.ListField(child=serializers.IntegerField())
    bar = serializers.IntegerField()
    off = serializers.IntegerField()
    stock = serializers.IntegerField()


class BoardSerializer(serializers.Serializer[Any]):
    white = CheckersSerializer()
    black = CheckersSerializer()


class PipsSerializer(serializers.Serializer[Any]):
    white = serializers.IntegerField()
    black = serializers.IntegerField()


class CubeSerializer(serializers.Serializer[Any]):
    value = serializers.IntegerField()
    owner = side(allow_null=True)
    offered = serializers.IntegerField(allow_null=True, help_text="The proposed value.")
    dead = serializers.BooleanField(help_text="Doubling gains nothing, or it is the Crawford game.")


class OutcomeSerializer(serializers.Serializer[Any]):
    """How a game ended."""

    winner = side(allow_null=True)
    points = serializers.FloatField()
    kind = serializers.CharField()


class PointsPositionSerializer(serializers.Serializer[Any]):
    """A position of backgammon or one of its variants."""

    family = serializers.ChoiceField(choices=[("points", "points")])
    phase = serializers.ChoiceField(
        choices=[(name, name) for name in ("opening", "roll", "rolling", "move", "name", "doubled", "over")]
    )
    turn = serializers.CharField(help_text="`white`, `black`, `chance` or `over`.")
    board = BoardSerializer()
    pips = PipsSerializer()
    dice = serializers.ListField(child=serializers.IntegerField(), allow_null=True)
    cube = CubeSerializer(allow_null=True)
    names = serializers.ListField(
        child=serializers.IntegerField(),
        allow_null=True,
        help_text="How many numbers of each double could be played, while one is named.",
    )
    outcome = OutcomeSerializer(allow_null=True)
    tree = serializers.ListField(
        child=serializers.ListField(child=serializers.ListField(child=serializers.IntegerField())),
        allow_null=True,
        required=False,
        help_text="Nodes of half-moves `[from, to, die, hit, next]`; only for the side to move.",
    )


class SquaresHalfSerializer(serializers.Serializer[Any]):
    men = serializers.ListField(child=serializers.IntegerField())
    kings = serializers.ListField(child=serializers.IntegerField())


class SquaresBoardSerializer(serializers.Serializer[Any]):
    white = SquaresHalfSerializer()
    black = SquaresHalfSerializer()


class ColoursSerializer(serializers.Serializer[Any]):
    """The colour that each seat plays."""

    white = side()
    black = side()


class HuffSerializer(serializers.Serializer[Any]):
    squares = serializers.ListField(child=serializers.IntegerField())
    compel = serializers.BooleanField()


class CountdownSerializer(serializers.Serializer[Any]):
    rule = serializers.CharField()
    left = serializers.IntegerField()


@extend_schema_field(
    {
        "type": "object",
        "required": ["text", "from", "to", "taken", "path"],
        "properties": {
            "text": {"type": "string"},
            "from": {"type": "integer"},
            "to": {"type": "integer"},
            "taken": {"type": "array", "items": {"type": "integer"}},
            "path": {"type": "array", "items": {"type": "integer"}},
        },
    }
)
class SquareMoveField(serializers.JSONField):
    """A legal move of damas: its text, source, target, the squares taken and the path."""


class SquaresPositionSerializer(serializers.Serializer[Any]):
    """A position of damas."""

    family = serializers.ChoiceField(choices=[("squares", "squares")])
    phase = serializers.ChoiceField(choices=[(name, name) for name in ("opening", "move", "over")])
    turn = serializers.CharField(help_text="`white`, `black`, `chance` or `over`.")
    colours = ColoursSerializer(allow_null=True)
    board = SquaresBoardSerializer()
    mode = serializers.CharField()
    dice = serializers.ListField(child=serializers.IntegerField(), allow_null=True)
    cube = CubeSerializer(allow_null=True)
    pips = PipsSerializer(allow_null=True)
    outcome = OutcomeSerializer(allow_null=True)
    huff = HuffSerializer(allow_null=True)
    countdown = CountdownSerializer(allow_null=True)
    tree = serializers.ListField(child=SquareMoveField(), allow_null=True, required=False)


POSITION = PolymorphicProxySerializer(
    component_name="Position",
    serializers={"points": PointsPositionSerializer, "squares": SquaresPositionSerializer},
    resource_type_field_name="family",
)


@extend_schema_field(POSITION)
class PositionField(serializers.JSONField):
    """A position of the game's family."""
