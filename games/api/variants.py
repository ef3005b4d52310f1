"""The variants that can be played, with the lengths, clocks and options of an offer."""

from __future__ import annotations

from typing import Any, ClassVar

from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api import access, bodies
from accounts.api.views import ApiView
from games import clocks, labels
from games.registry import RULES


@extend_schema_field({"oneOf": [{"type": "boolean"}, {"type": "integer"}, {"type": "string"}]})
class ValueField(serializers.JSONField):
    """A value of an option."""


class TermSerializer(serializers.Serializer[Any]):
    """An option of a game: its values and its default."""

    key = serializers.CharField()
    choices = serializers.ListField(child=ValueField())
    default = ValueField()
    house = serializers.BooleanField(help_text="A house rule: with any value but the default a match is never rated.")


class ClockPresetSerializer(serializers.Serializer[Any]):
    key = serializers.CharField()
    name = serializers.CharField()
    pace = serializers.CharField()


class VariantSerializer(serializers.Serializer[Any]):
    """A game, with the values that an offer of it can have."""

    key = serializers.CharField()
    name = serializers.CharField()
    family = serializers.CharField()
    lengths = serializers.ListField(child=serializers.IntegerField(), help_text="The usual lengths, of 1 to 99.")
    money = serializers.BooleanField(help_text="Whether there are money sessions (length 0).")
    rating = serializers.CharField(help_text="The system of its ratings.")
    clocks = ClockPresetSerializer(many=True)
    terms = TermSerializer(many=True)


class Variants(ApiView):
    """All games, with the lengths, clocks and options that an offer can have."""

    access: ClassVar = {"GET": access.public()}

    @extend_schema(responses={200: VariantSerializer(many=True)}, operation_id="variants", tags=["matches"])
    def get(self, request: Request) -> Response:
        bodies.query_of(bodies.Query, request)
        return Response([serialize_variant(rules) for rules in RULES.values()])


def serialize_variant(rules: Any) -> dict[str, Any]:
    default_length = rules.lengths[0]
    return {
        "key": rules.key,
        "name": labels.variant(rules.key),
        "family": rules.family,
        "lengths": sorted(rules.lengths),
        "money": rules.money,
        "rating": rules.rating,
        "clocks": [
            {"key": preset.key, "name": labels.clock(preset.key), "pace": clocks.pace_of(preset.key)}
            for preset in clocks.fitting(rules.clock_kind(default_length))
        ],
        "terms": [
            {"key": key, "choices": list(term.choices), "default": term.default, "house": term.house}
            for key, term in rules.terms(default_length).items()
        ],
    }
