"""What the club plays and what it says in numbers: games, ratings, dice."""

from __future__ import annotations

from typing import Any, ClassVar

from django.db.models import Q, QuerySet
from django.urls import reverse
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api import access, bodies
from accounts.api.pages import page_of
from accounts.api.people import PersonSerializer, person_told
from accounts.api.schema import page_answer
from accounts.api.views import ApiView
from games import clocks, words
from games.api.common import asked, shown
from games.api.rows import SiteDiceSerializer
from games.models import Rating
from games.registry import RULES
from games.selectors import ratings, rolls

# Games


@extend_schema_field({"oneOf": [{"type": "boolean"}, {"type": "integer"}, {"type": "string"}]})
class ValueField(serializers.JSONField):
    """A value of something that is agreed on."""


class TermSerializer(serializers.Serializer[Any]):
    """Something that can be agreed on: its values, the usual one first among equals as `default`."""

    key = serializers.CharField()
    choices = serializers.ListField(child=ValueField())
    default = ValueField()
    house = serializers.BooleanField(help_text="With another value than the default a match is never rated.")


class ClockPresetSerializer(serializers.Serializer[Any]):
    key = serializers.CharField()
    name = serializers.CharField()
    pace = serializers.CharField()


class VariantSerializer(serializers.Serializer[Any]):
    """A game that is played here, with what an offer of it can say."""

    key = serializers.CharField()
    name = serializers.CharField()
    family = serializers.CharField()
    lengths = serializers.ListField(child=serializers.IntegerField(), help_text="The usual ones, of 1 to 99.")
    money = serializers.BooleanField(help_text="Whether there are money sessions (length 0).")
    rating = serializers.CharField(help_text="The system of its ratings.")
    clocks = ClockPresetSerializer(many=True)
    terms = TermSerializer(many=True)


class Variants(ApiView):
    """Every game of the club, with the lengths, clocks and options that an offer can name."""

    access: ClassVar = {"GET": access.public()}

    @extend_schema(responses={200: VariantSerializer(many=True)}, operation_id="variants", tags=["matches"])
    def get(self, request: Request) -> Response:
        bodies.query_of(bodies.Query, request)
        return Response([_variant(rules) for rules in RULES.values()])


def _variant(rules: Any) -> dict[str, Any]:
    usual = rules.lengths[0]
    return {
        "key": rules.key,
        "name": words.variant(rules.key),
        "family": rules.family,
        "lengths": sorted(rules.lengths),
        "money": rules.money,
        "rating": rules.rating,
        "clocks": [
            {"key": one.key, "name": words.clock(one.key), "pace": clocks.pace_of(one.key)}
            for one in clocks.fitting(rules.clock_kind(usual))
        ],
        "terms": [
            {"key": key, "choices": list(term.choices), "default": term.default, "house": term.house}
            for key, term in rules.terms(usual).items()
        ],
    }


# Ratings


class PoolSerializer(serializers.Serializer[Any]):
    """The ratings of one game at one pace: how many play in it, how many of them lately, and who leads these."""

    variant = serializers.CharField()
    pace = serializers.CharField()
    matches = serializers.IntegerField()
    players = serializers.IntegerField()
    active = serializers.IntegerField()
    leader = serializers.SerializerMethodField()
    log = serializers.SerializerMethodField()

    def get_leader(self, pool: Any) -> str | None:
        return pool.leader.user.username if pool.leader else None

    def get_log(self, pool: Any) -> str:
        return reverse("ratings-log", args=[pool.variant, pool.pace])


class Pools(ApiView):
    """Every pool that somebody has played in, with the path of its log."""

    access: ClassVar = {"GET": access.public()}

    @extend_schema(responses={200: PoolSerializer(many=True)}, operation_id="rating_pools", tags=["ratings"])
    def get(self, request: Request) -> Response:
        bodies.query_of(bodies.Query, request)
        return Response(shown(PoolSerializer, ratings.pools()))


class RatingStandingSerializer(serializers.Serializer[Any]):
    """A row of the list of a pool. `change` is that of the last 30 days."""

    rank = serializers.IntegerField()
    player = serializers.SerializerMethodField()
    rating = serializers.FloatField()
    experience = serializers.FloatField()
    deviation = serializers.FloatField(allow_null=True)
    provisional = serializers.BooleanField()
    matches = serializers.IntegerField()
    wins = serializers.IntegerField()
    form = serializers.CharField(allow_blank=True, help_text="The last results, W or L, the latest first.")
    change = serializers.FloatField(allow_null=True)
    last_at = serializers.DateTimeField()

    @extend_schema_field(PersonSerializer)
    def get_player(self, row: Any) -> dict[str, Any] | None:
        return person_told(row.user)


class PoolQuery(bodies.Paged):
    """Who stands in the list."""

    everybody = serializers.BooleanField(
        required=False, default=False, help_text="Also those who have not played for 90 days."
    )


class PoolRatings(ApiView):
    """The list of a pool, the highest rating first."""

    access: ClassVar = {"GET": access.public()}

    @extend_schema(
        parameters=[PoolQuery],
        responses={200: page_answer(RatingStandingSerializer)},
        operation_id="rating_pool",
        tags=["ratings"],
    )
    def get(self, request: Request, variant: str, pace: str) -> Response:
        said = bodies.query_of(PoolQuery, request)
        pool = ratings.pool_named(variant, pace)
        rows = ratings.listed(pool, active_days=None if said["everybody"] else ratings.ACTIVE)
        return page_of(rows, by=("-rating", "user__name_key"), asked=said, told=lambda found: _told(rows, found))


def _told(rows: QuerySet[Rating], found: list[Rating]) -> list[Any]:
    """The rows of a page with their ranks: those above the first are counted."""
    if not found:
        return []
    first = found[0]
    above = Q(rating__gt=first.rating) | Q(rating=first.rating, user__name_key__lt=first.user.name_key)
    standings = ratings.standings(found, first=rows.filter(above).count() + 1)
    return shown(RatingStandingSerializer, standings)


# Dice


class DiceQuery(bodies.Query):
    """Of which game."""

    variant = asked(RULES, "The dice of this game only.")


class SiteDice(ApiView):
    """The dice of all finished matches against fair ones, counted at most five minutes ago."""

    access: ClassVar = {"GET": access.public()}

    @extend_schema(
        parameters=[DiceQuery], responses={200: SiteDiceSerializer}, operation_id="site_dice", tags=["statistics"]
    )
    def get(self, request: Request) -> Response:
        wanted = bodies.query_of(DiceQuery, request).get("variant", "")
        return Response(SiteDiceSerializer(rolls.of_site(wanted)).data)
