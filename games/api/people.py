"""The people who play here, and what their matches say in numbers, as their pages show them."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

from django.db.models import PositiveSmallIntegerField, Value
from django.db.models.functions import Coalesce
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts import rates
from accounts.api.access import public
from accounts.api.bodies import Paged, Query, query_of
from accounts.api.pages import page_of
from accounts.api.people import PersonSerializer, person_told
from accounts.api.schema import page_answer
from accounts.api.views import ApiView, tag_of, tagged, unchanged
from accounts.models import User
from games.api.rows import DiceNumbersSerializer
from games.errors import Refused
from games.models import RatingEvent
from games.registry import RULES
from games.selectors import lists, ratings, rolls, statistics
from games.selectors import players as people

TAGS = ["players"]
FORM_IN_LIST = 5
LAST = 32767
"""Where members stand in the list: behind the computer's strengths."""
VARIANTS = list(RULES)


def player_named(name: str) -> User:
    """The player of that name. Raises Refused("no_such_player")."""
    found = _named(name)
    if not found.is_active:
        raise Refused("no_such_player")
    return found


def _named(name: str) -> User:
    """The same, and those who left."""
    try:
        if len(name) > 24:
            raise Refused("no_such_player")
        return lists.player_past_or_present(name)
    except Refused as refused:
        raise Refused("no_such_player") from refused


class LastMatchSerializer(serializers.Serializer[Any]):
    """One of the last matches; `won` is null where it ended level."""

    match = serializers.CharField()
    won = serializers.BooleanField(allow_null=True)
    at = serializers.DateTimeField(allow_null=True)


def _last(last: people.Last) -> dict[str, Any]:
    return {"match": last.match_id, "won": last.won, "at": last.at}


# The list


class PlayersQuery(Paged):
    q = serializers.CharField(required=False, max_length=24, help_text="A part of the name.")


class PlayerRowSerializer(PersonSerializer):
    """A player of the list: his finished matches, the last of them, and his rating in the first pool."""

    matches = serializers.IntegerField()
    form = LastMatchSerializer(many=True)
    rating = serializers.FloatField(allow_null=True)


def _rows(found: list[Any]) -> list[dict[str, Any]]:
    shown = [user.pk for user in found]
    forms, rated = people.forms(shown, most=FORM_IN_LIST), people.ratings(shown)
    return [
        {
            **(person_told(user) or {}),
            "matches": user.played,
            "form": [_last(last) for last in forms[user.pk]],
            "rating": rated.get(user.pk),
        }
        for user in found
    ]


class Players(ApiView):
    """Everybody who plays here: the computer's strengths first, then by name; `q` searches."""

    access = {"GET": public(kind=rates.SEARCH)}

    @extend_schema(
        operation_id="players", parameters=[PlayersQuery], responses=page_answer(PlayerRowSerializer), tags=TAGS
    )
    def get(self, request: Request) -> Response:
        asked = query_of(PlayersQuery, request)
        place = Coalesce("bot_level", Value(LAST), output_field=PositiveSmallIntegerField())
        rows = lists.players(asked.get("q", "")).annotate(place=place)
        return page_of(rows, by=("place", "name_key"), asked=asked, told=_rows)


# One


class RatingCardSerializer(serializers.Serializer[Any]):
    """Where a player stands in one pool; `rank` is null where he has not played for 90 days."""

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
    """A player, as his page tells of him."""

    joined_at = serializers.DateTimeField(allow_null=True)
    strength = serializers.IntegerField(allow_null=True, help_text="Of the computer: 1 to 5.")
    ratings = RatingCardSerializer(many=True)
    form = LastMatchSerializer(many=True)


class Player(ApiView):
    """One player: who has left has his name alone."""

    access = {"GET": public()}

    @extend_schema(operation_id="player", responses=PlayerSerializer, tags=TAGS)
    def get(self, request: Request, name: str) -> Response:
        query_of(Query, request)
        user = _named(name)
        here = user.left_at is None
        cards = ratings.cards(user) if here else []
        return Response(
            {
                **(person_told(user) or {}),
                "joined_at": user.date_joined if here else None,
                "strength": user.strength,
                "ratings": [{key: getattr(card, key) for key in CARD} for card in cards],
                "form": [_last(last) for last in people.form(user)] if here else [],
            }
        )


class HistoryQuery(Paged):
    """A page of a rating's way, the last match first."""


class PointSerializer(serializers.Serializer[Any]):
    """A rating after one match, and what the match changed."""

    n = serializers.IntegerField(help_text="The number of the match in its pool.")
    at = serializers.DateTimeField()
    match = serializers.CharField()
    rival = PersonSerializer()
    before = serializers.FloatField()
    rating = serializers.FloatField()


class RatingHistory(ApiView):
    """The way of a player's rating in one pool, the last match first."""

    access = {"GET": public()}

    @extend_schema(
        operation_id="player_rating", parameters=[HistoryQuery], responses=page_answer(PointSerializer), tags=TAGS
    )
    def get(self, request: Request, name: str, variant: str, pace: str) -> Response:
        asked = query_of(HistoryQuery, request)
        user, pool = player_named(name), ratings.pool_named(variant, pace)
        rows = RatingEvent.objects.filter(user=user, pool__variant=pool.variant, pool__pace=pool.pace)
        rows = rows.select_related("rated__white", "rated__black")
        return page_of(rows, by=("-n",), asked=asked, told=lambda found: [_point(user, row) for row in found])


def _point(user: User, row: Any) -> dict[str, Any]:
    rival = row.rated.black if row.rated.white_id == user.pk else row.rated.white
    return {
        "n": row.n,
        "at": row.at,
        "match": row.rated.match_id,
        "rival": person_told(rival),
        "before": row.rating_before,
        "rating": row.rating_after,
    }


# Numbers


def _figures_serializer() -> type[serializers.Serializer[Any]]:
    """What `statistics.Figures` holds, field by field."""
    floats = {"points", "rival_points", "bar_expected", "bar_variance"}
    told: dict[str, Any] = {
        each.name: serializers.FloatField() if each.name in floats else serializers.IntegerField()
        for each in fields(statistics.Figures)
    }
    doc = "Sums over matches: how many were played, won and lost, and what was counted in them."
    return type("FiguresSerializer", (serializers.Serializer,), {"__doc__": doc, **told})


FiguresSerializer = _figures_serializer()


def _figures(figures: statistics.Figures) -> dict[str, Any]:
    return {name: getattr(figures, name) for name in statistics.NAMES}


class StatisticsQuery(Query):
    variant = serializers.ChoiceField(choices=VARIANTS, required=False)
    pace = serializers.ChoiceField(choices=list(statistics.PACES), required=False)


class LengthSerializer(serializers.Serializer[Any]):
    length = serializers.IntegerField()
    figures = FiguresSerializer()


class VariantFiguresSerializer(serializers.Serializer[Any]):
    variant = serializers.ChoiceField(choices=VARIANTS)
    figures = FiguresSerializer()


class AgainstRowSerializer(serializers.Serializer[Any]):
    rival = PersonSerializer()
    figures = FiguresSerializer()


class StatisticsSerializer(serializers.Serializer[Any]):
    """A player's finished matches in numbers: all together, by length, against those whom he met most, and his dice."""

    figures = FiguresSerializer()
    lengths = LengthSerializer(many=True)
    rivals = AgainstRowSerializer(many=True)
    dice = DiceNumbersSerializer()
    rivals_seconds = serializers.FloatField(allow_null=True, help_text="How long his rivals think over a play.")


class Statistics(ApiView):
    """A player's finished matches in numbers; `variant` and `pace` choose among them."""

    access = {"GET": public(kind=rates.SEARCH)}

    @extend_schema(
        operation_id="player_statistics", parameters=[StatisticsQuery], responses=StatisticsSerializer, tags=TAGS
    )
    def get(self, request: Request, name: str) -> Response:
        wanted = query_of(StatisticsQuery, request)
        user = player_named(name)
        rows = [
            row for row in statistics.played(user) if all(getattr(row, key) == value for key, value in wanted.items())
        ]
        figures = statistics.total(rows)
        by_length = statistics.by(lambda row: row.length, rows)
        told = {
            "figures": _figures(figures),
            "lengths": [{"length": length, "figures": _figures(sums)} for length, sums in by_length.items()],
            "rivals": [
                {"rival": person_told(one.rival), "figures": _figures(one.figures)}
                for one in statistics.by_rival(user, **wanted)
            ],
            "dice": DiceNumbersSerializer(rolls.of_player(user, figures, **wanted)).data,
            "rivals_seconds": statistics.seconds_of_rivals(user, **wanted),
        }
        return Response(told)


class HeadToHeadSerializer(serializers.Serializer[Any]):
    """How one player did against another, seen from the first."""

    player = PersonSerializer()
    rival = PersonSerializer()
    figures = FiguresSerializer()
    variants = VariantFiguresSerializer(many=True)


class HeadToHead(ApiView):
    """How two players did against each other, seen from the first of them."""

    access = {"GET": public()}

    @extend_schema(operation_id="player_against", responses=HeadToHeadSerializer, tags=TAGS)
    def get(self, request: Request, name: str, rival: str) -> Response:
        query_of(Query, request)
        one, other = _named(name), _named(rival)
        if one == other:
            raise Refused("no_such_player")
        both = people.head_to_head(one, other)
        tag = tag_of("against", one.pk, other.pk, one.username, other.username, *_figures(both.figures).values())
        told = {
            "player": person_told(one),
            "rival": person_told(other),
            "figures": _figures(both.figures),
            "variants": [{"variant": key, "figures": _figures(sums)} for key, sums in both.variants.items()],
        }
        return unchanged(request, tag) or tagged(told, tag)
