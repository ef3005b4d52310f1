"""Players over HTTP: the list, profiles, ratings over time, statistics and head-to-head."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

from django.db.models import PositiveSmallIntegerField, Value
from django.db.models.functions import Coalesce
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api.access import public
from accounts.api.bodies import Paged, Query, query_of
from accounts.api.pagination import paginate_queryset
from accounts.api.schema import page_serializer
from accounts.api.users import PersonSerializer, serialize_person
from accounts.api.views import ApiView, etag_for, not_modified, with_etag
from accounts.models import User
from accounts.web import api_rates
from games.api.match_serializers import DiceReportSerializer
from games.errors import Refused
from games.models import RatingEvent
from games.registry import RULES
from games.selectors import dice_reports, ratings, statistics
from games.selectors import players as people
from games.selectors.players import player_past_or_present, players

TAGS = ["players"]
FORM_IN_LIST = 5
AFTER_BOTS = 32767
"""The sort position of members: after the house bots."""
VARIANTS = list(RULES)


def player_named(name: str) -> User:
    """The player of that name. Raises Refused("no_such_player")."""
    found = player_past_or_present_named(name)
    if not found.is_active:
        raise Refused("no_such_player")
    return found


def player_past_or_present_named(name: str) -> User:
    """A player of that name, deleted accounts included. Raises Refused("no_such_player")."""
    try:
        if len(name) > 24:
            raise Refused("no_such_player")
        return player_past_or_present(name)
    except Refused as refused:
        raise Refused("no_such_player") from refused


class LastMatchSerializer(serializers.Serializer[Any]):
    """One of the last matches; `won` is null for a draw."""

    match = serializers.CharField()
    won = serializers.BooleanField(allow_null=True)
    at = serializers.DateTimeField(allow_null=True)


def serialize_result(last: people.RecentResult) -> dict[str, Any]:
    return {"match": last.match_id, "won": last.won, "at": last.at}


# The list


class PlayersQuery(Paged):
    q = serializers.CharField(required=False, max_length=24, help_text="A part of the name.")


class PlayerRowSerializer(PersonSerializer):
    """A player of the list: the number of finished matches, the last results, and the rating in the main pool."""

    matches = serializers.IntegerField()
    form = LastMatchSerializer(many=True)
    rating = serializers.FloatField(allow_null=True)


def serialize_rows(found: list[Any]) -> list[dict[str, Any]]:
    shown = [user.pk for user in found]
    forms, rated = people.recent_results_by_user(shown, most=FORM_IN_LIST), people.main_ratings(shown)
    return [
        {
            **(serialize_person(user) or {}),
            "matches": user.played,
            "form": [serialize_result(last) for last in forms[user.pk]],
            "rating": rated.get(user.pk),
        }
        for user in found
    ]


class Players(ApiView):
    """All players: the house bots by strength, then by name; `q` searches."""

    access = {"GET": public(kind=api_rates.SEARCH)}

    @extend_schema(
        operation_id="players", parameters=[PlayersQuery], responses=page_serializer(PlayerRowSerializer), tags=TAGS
    )
    def get(self, request: Request) -> Response:
        query = query_of(PlayersQuery, request)
        place = Coalesce("bot_level", Value(AFTER_BOTS), output_field=PositiveSmallIntegerField())
        rows = players(query.get("q", "")).annotate(place=place)
        return paginate_queryset(rows, by=("place", "name_key"), query=query, serialize=serialize_rows)


# One


class RatingCardSerializer(serializers.Serializer[Any]):
    """Where a player stands in one pool; `rank` is null after 90 days without a match."""

    variant = serializers.ChoiceField(choices=VARIANTS)
    pace = serializers.ChoiceField(choices=list(statistics.PACES))
    rating = serializers.FloatField()
    experience = serializers.FloatField()
    deviation = serializers.FloatField(allow_null=True)
    provisional = serializers.BooleanField()
    matches = serializers.IntegerField()
    wins = serializers.IntegerField()
    peak = serializers.FloatField()
    peak_at = serializers.DateTimeField()
    last_at = serializers.DateTimeField()
    rank = serializers.IntegerField(allow_null=True)


CARD = tuple(RatingCardSerializer().fields)


class PlayerSerializer(PersonSerializer):
    """A player's profile."""

    joined_at = serializers.DateTimeField(allow_null=True)
    strength = serializers.IntegerField(allow_null=True, help_text="Of a house bot: 1 to 5.")
    ratings = RatingCardSerializer(many=True)
    form = LastMatchSerializer(many=True)


class Player(ApiView):
    """One player; of a deleted account only the name."""

    access = {"GET": public()}

    @extend_schema(operation_id="player", responses=PlayerSerializer, tags=TAGS)
    def get(self, request: Request, name: str) -> Response:
        query_of(Query, request)
        user = player_past_or_present_named(name)
        here = user.left_at is None
        cards = ratings.rating_cards(user) if here else []
        return Response(
            {
                **(serialize_person(user) or {}),
                "joined_at": user.date_joined if here else None,
                "strength": user.strength,
                "ratings": [{key: getattr(card, key) for key in CARD} for card in cards],
                "form": [serialize_result(last) for last in people.recent_results(user)] if here else [],
            }
        )


class HistoryQuery(Paged):
    """A page of a rating over time, the last match first."""


class RatingPointSerializer(serializers.Serializer[Any]):
    """A rating before and after one match."""

    n = serializers.IntegerField(help_text="The number of the match in its pool.")
    at = serializers.DateTimeField()
    match = serializers.CharField()
    rival = PersonSerializer()
    before = serializers.FloatField()
    rating = serializers.FloatField()


class RatingHistory(ApiView):
    """A player's rating over time in one pool, the last match first."""

    access = {"GET": public()}

    @extend_schema(
        operation_id="player_rating",
        parameters=[HistoryQuery],
        responses=page_serializer(RatingPointSerializer),
        tags=TAGS,
    )
    def get(self, request: Request, name: str, variant: str, pace: str) -> Response:
        query = query_of(HistoryQuery, request)
        user, pool = player_named(name), ratings.pool_named(variant, pace)
        rows = RatingEvent.objects.filter(user=user, pool__variant=pool.variant, pool__pace=pool.pace)
        rows = rows.select_related("rated__white", "rated__black")
        return paginate_queryset(
            rows, by=("-n",), query=query, serialize=lambda found: [serialize_point(user, row) for row in found]
        )


def serialize_point(user: User, row: Any) -> dict[str, Any]:
    opponent = row.rated.black if row.rated.white_id == user.pk else row.rated.white
    return {
        "n": row.n,
        "at": row.at,
        "match": row.rated.match_id,
        "rival": serialize_person(opponent),
        "before": row.rating_before,
        "rating": row.rating_after,
    }


# Numbers


def _player_stats_serializer() -> type[serializers.Serializer[Any]]:
    """Build the serializer of `statistics.PlayerStats`, field by field."""
    floats = {"points", "rival_points", "bar_expected", "bar_variance"}
    data: dict[str, Any] = {
        each.name: serializers.FloatField() if each.name in floats else serializers.IntegerField()
        for each in fields(statistics.PlayerStats)
    }
    doc = "Sums over matches: played, won and lost, and the counts in them."
    return type("FiguresSerializer", (serializers.Serializer,), {"__doc__": doc, **data})


PlayerStatsSerializer = _player_stats_serializer()


def serialize_stats(figures: statistics.PlayerStats) -> dict[str, Any]:
    return {name: getattr(figures, name) for name in statistics.NAMES}


class StatisticsQuery(Query):
    variant = serializers.ChoiceField(choices=VARIANTS, required=False)
    pace = serializers.ChoiceField(choices=list(statistics.PACES), required=False)


class LengthStatsSerializer(serializers.Serializer[Any]):
    length = serializers.IntegerField()
    figures = PlayerStatsSerializer()


class VariantStatsSerializer(serializers.Serializer[Any]):
    variant = serializers.ChoiceField(choices=VARIANTS)
    figures = PlayerStatsSerializer()


class OpponentStatsSerializer(serializers.Serializer[Any]):
    rival = PersonSerializer()
    figures = PlayerStatsSerializer()


class StatisticsSerializer(serializers.Serializer[Any]):
    """A player's statistics: in all, by match length, against the most frequent opponents, and of the dice."""

    figures = PlayerStatsSerializer()
    lengths = LengthStatsSerializer(many=True)
    rivals = OpponentStatsSerializer(many=True)
    dice = DiceReportSerializer()
    rivals_seconds = serializers.FloatField(allow_null=True, help_text="Seconds per play of the opponents.")


class Statistics(ApiView):
    """A player's statistics; `variant` and `pace` filter the matches."""

    access = {"GET": public(kind=api_rates.SEARCH)}

    @extend_schema(
        operation_id="player_statistics", parameters=[StatisticsQuery], responses=StatisticsSerializer, tags=TAGS
    )
    def get(self, request: Request, name: str) -> Response:
        wanted = query_of(StatisticsQuery, request)
        user = player_named(name)
        rows = [
            row
            for row in statistics.stats_rows(user)
            if all(getattr(row, key) == value for key, value in wanted.items())
        ]
        figures = statistics.total_stats(rows)
        by_length = statistics.stats_by(lambda row: row.length, rows)
        data = {
            "figures": serialize_stats(figures),
            "lengths": [{"length": length, "figures": serialize_stats(sums)} for length, sums in by_length.items()],
            "rivals": [
                {"rival": serialize_person(row.opponent), "figures": serialize_stats(row.stats)}
                for row in statistics.stats_by_opponent(user, **wanted)
            ],
            "dice": DiceReportSerializer(dice_reports.player_dice(user, figures, **wanted)).data,
            "rivals_seconds": statistics.opponents_seconds_per_play(user, **wanted),
        }
        return Response(data)


class HeadToHeadSerializer(serializers.Serializer[Any]):
    """The head-to-head of two players, seen from the first."""

    player = PersonSerializer()
    rival = PersonSerializer()
    figures = PlayerStatsSerializer()
    variants = VariantStatsSerializer(many=True)


class HeadToHead(ApiView):
    """The head-to-head of two players, seen from the first."""

    access = {"GET": public()}

    @extend_schema(operation_id="player_against", responses=HeadToHeadSerializer, tags=TAGS)
    def get(self, request: Request, name: str, rival: str) -> Response:
        query_of(Query, request)
        player, opponent = player_past_or_present_named(name), player_past_or_present_named(rival)
        if player == opponent:
            raise Refused("no_such_player")
        both = people.head_to_head(player, opponent)
        tag = etag_for(
            "against", player.pk, opponent.pk, player.username, opponent.username, *serialize_stats(both.stats).values()
        )
        data = {
            "player": serialize_person(player),
            "rival": serialize_person(opponent),
            "figures": serialize_stats(both.stats),
            "variants": [{"variant": key, "figures": serialize_stats(sums)} for key, sums in both.variants.items()],
        }
        return not_modified(request, tag) or with_etag(data, tag)
