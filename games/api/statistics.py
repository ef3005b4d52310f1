"""The statistics of the site: rating pools and dice."""

from __future__ import annotations

from typing import Any, ClassVar

from django.db.models import Q, QuerySet
from django.urls import reverse
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api import access, bodies
from accounts.api.pagination import paginate_queryset
from accounts.api.schema import page_serializer
from accounts.api.users import PersonSerializer, serialize_person
from accounts.api.views import ApiView
from games.api.fields import optional_choice, serialize_many
from games.api.match_serializers import SiteDiceSerializer
from games.models import Rating
from games.registry import RULES
from games.selectors import dice_reports, ratings

# Ratings


class PoolSerializer(serializers.Serializer[Any]):
    """A rating pool, of one game at one pace: its players, how many were active lately, and its leader."""

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
    """All rating pools with matches, with the path of their logs."""

    access: ClassVar = {"GET": access.public()}

    @extend_schema(responses={200: PoolSerializer(many=True)}, operation_id="rating_pools", tags=["ratings"])
    def get(self, request: Request) -> Response:
        bodies.query_of(bodies.Query, request)
        return Response(serialize_many(PoolSerializer, ratings.pools()))


class RatingStandingSerializer(serializers.Serializer[Any]):
    """A row of the list of a pool. `change` covers the last 30 days."""

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
        return serialize_person(row.user)


class PoolQuery(bodies.Paged):
    """The players of the list."""

    everybody = serializers.BooleanField(
        required=False, default=False, help_text="Include players who have not played for 90 days."
    )


class PoolRatings(ApiView):
    """The list of a pool, the highest rating first."""

    access: ClassVar = {"GET": access.public()}

    @extend_schema(
        parameters=[PoolQuery],
        responses={200: page_serializer(RatingStandingSerializer)},
        operation_id="rating_pool",
        tags=["ratings"],
    )
    def get(self, request: Request, variant: str, pace: str) -> Response:
        query = bodies.query_of(PoolQuery, request)
        pool = ratings.pool_named(variant, pace)
        rows = ratings.pool_ratings(pool, active_days=None if query["everybody"] else ratings.ACTIVE)
        return paginate_queryset(
            rows, by=("-rating", "user__name_key"), query=query, serialize=lambda found: serialize_ranked(rows, found)
        )


def serialize_ranked(rows: QuerySet[Rating], found: list[Rating]) -> list[Any]:
    """Serialize the rows of a page with their ranks, counted from the rows above the first."""
    if not found:
        return []
    first = found[0]
    above = Q(rating__gt=first.rating) | Q(rating=first.rating, user__name_key__lt=first.user.name_key)
    standings = ratings.standings(found, first=rows.filter(above).count() + 1)
    return serialize_many(RatingStandingSerializer, standings)


# Dice


class DiceQuery(bodies.Query):
    """The game."""

    variant = optional_choice(RULES, "Only the dice of this game.")


class SiteDice(ApiView):
    """The dice statistics of all finished matches, at most five minutes old."""

    access: ClassVar = {"GET": access.public()}

    @extend_schema(
        parameters=[DiceQuery], responses={200: SiteDiceSerializer}, operation_id="site_dice", tags=["statistics"]
    )
    def get(self, request: Request) -> Response:
        variant = bodies.query_of(DiceQuery, request).get("variant", "")
        return Response(SiteDiceSerializer(dice_reports.site_dice(variant)).data)
