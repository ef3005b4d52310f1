"""Fields and responses that the API of tournaments shares."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers
from rest_framework.response import Response

from games.api.fields import integer
from tournaments.api.serializers import KEY
from tournaments.models import Tournament

MOST_POINTS = 999
MOST_ENTRANTS = 2**15 - 1


def version_response(tournament_id: str) -> Response:
    """The response of an act: the new version and phase of the tournament."""
    return Response(Tournament.objects.values("version", "phase").get(pk=tournament_id))


def pairing_key_field() -> serializers.CharField:
    """A pairing by its key."""
    return serializers.CharField(max_length=40, help_text=KEY)


def entrant_field(about: str = "An entrant by number.", **more: Any) -> serializers.IntegerField:
    """An entrant by number."""
    return integer(about, least=1, most=MOST_ENTRANTS, **{"required": True, **more})


class PointsField(serializers.FloatField):
    """Points of a match: whole numbers, or halves where games can be drawn."""

    def __init__(self, **more: Any) -> None:
        super().__init__(min_value=0, max_value=MOST_POINTS, **more)


def points_in_order(data: dict[str, Any], first: int) -> tuple[float, float]:
    """The points of a pairing's first player (number `first`), then of the second; whole points as integers."""
    won, lost = (int(value) if value == int(value) else value for value in (data["won"], data["lost"]))
    return (won, lost) if data["winner"] == first else (lost, won)
