"""Serializers of the answers about ladders."""

from __future__ import annotations

from typing import Any

from django.urls import reverse
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from accounts.api.users import PersonSerializer, serialize_person
from accounts.models import User
from games.api.fields import choice
from games.api.state_serializers import OptionsField
from ladders.models import Ladder, LadderChallenge
from ladders.rules import KINDS


class LadderRowSerializer(serializers.Serializer[Any]):
    """A ladder of the list, with who leads and the viewer's own place."""

    id = serializers.CharField(source="ladder.pk")
    name = serializers.CharField(source="ladder.name")
    club = serializers.CharField(source="ladder.club.slug")
    kind = choice(KINDS, source="ladder.kind")
    status = choice(Ladder.Status, source="ladder.status")
    variant = serializers.CharField(source="ladder.variant")
    length = serializers.IntegerField(source="ladder.length")
    clock = serializers.CharField(source="ladder.clock_preset")
    rated = serializers.BooleanField(source="ladder.rated")
    terms = serializers.CharField(help_text="What is played, in words.")
    players = serializers.IntegerField()
    leaders = serializers.SerializerMethodField()
    mine = serializers.IntegerField(source="viewer_place", allow_null=True, help_text="The viewer's place.")

    def get_leaders(self, row: Any) -> list[str]:
        return [user.username for user in row.leaders]


class PersonField(serializers.Field):
    """A person, by name and kind."""

    def to_representation(self, value: User) -> Any:
        return serialize_person(value)


@extend_schema_field(PersonSerializer)
class Person(PersonField):
    """Somebody who is there."""


class LadderChallengeSerializer(serializers.Serializer[Any]):
    """An open challenge, as the viewer sees it."""

    id = serializers.IntegerField(source="challenge.pk")
    challenger = Person(source="challenge.challenger")
    defender = Person(source="challenge.defender")
    status = choice(LadderChallenge.Status, source="challenge.status")
    made_at = serializers.DateTimeField(source="challenge.made_at")
    due_at = serializers.DateTimeField(source="challenge.due_at", allow_null=True)
    match = serializers.CharField(source="challenge.match_id", allow_null=True)
    calls_me = serializers.BooleanField(source="to_answer", help_text="The viewer has to answer it.")
    called_by_me = serializers.BooleanField(source="to_withdraw")


class LadderSeasonHeadSerializer(serializers.Serializer[Any]):
    number = serializers.IntegerField()
    name = serializers.CharField(allow_blank=True)
    started_at = serializers.DateTimeField()
    ended_at = serializers.DateTimeField()


class LadderSerializer(serializers.Serializer[Any]):
    """A ladder as this viewer sees it; its places and its events are lists of their own."""

    id = serializers.CharField(source="ladder.pk")
    version = serializers.IntegerField(source="ladder.version")
    name = serializers.CharField(source="ladder.name")
    club = serializers.CharField(source="ladder.club.slug")
    kind = choice(KINDS, source="ladder.kind")
    status = choice(Ladder.Status, source="ladder.status")
    variant = serializers.CharField(source="ladder.variant")
    length = serializers.IntegerField(source="ladder.length")
    clock = serializers.CharField(source="ladder.clock_preset")
    rated = serializers.BooleanField(source="ladder.rated")
    options = OptionsField(source="ladder.options")
    terms = serializers.CharField()
    rules = serializers.ListField(child=serializers.CharField(), help_text="The rules in words.")
    season = serializers.IntegerField(source="ladder.season")
    season_name = serializers.CharField(source="ladder.season_name", allow_blank=True)
    season_ends_at = serializers.DateTimeField(source="ladder.season_ends_at", allow_null=True)
    seasons = LadderSeasonHeadSerializer(many=True, help_text="Those that are over.")
    calls = LadderChallengeSerializer(source="challenges", many=True)
    directs = serializers.BooleanField(help_text="Whether the viewer directs its club.")
    mine = serializers.SerializerMethodField(help_text="The viewer's place.")
    vacation_days = serializers.IntegerField(
        source="vacation", help_text="That the viewer may still be away this season."
    )
    page = serializers.SerializerMethodField()

    def get_mine(self, view: Any) -> int | None:
        return view.own_rung.place if view.own_rung else None

    def get_page(self, view: Any) -> str:
        return reverse("ladder", args=[view.ladder.pk])


class RungSerializer(serializers.Serializer[Any]):
    """A place, and whether the viewer may challenge its player: `why` says why not."""

    place = serializers.IntegerField()
    player = Person(source="user")
    points = serializers.FloatField()
    played = serializers.IntegerField()
    won = serializers.IntegerField()
    moved = serializers.IntegerField(help_text="How many places up the last move went.")
    mine = serializers.BooleanField(source="is_viewer")
    frozen = serializers.BooleanField()
    away_until = serializers.DateTimeField(allow_null=True)
    immune_until = serializers.DateTimeField(allow_null=True)
    may = serializers.BooleanField()
    why = serializers.CharField(allow_blank=True)


class MoveSerializer(serializers.Serializer[Any]):
    name = serializers.CharField()
    before = serializers.IntegerField(allow_null=True)
    after = serializers.IntegerField(allow_null=True)


class LadderEventSerializer(serializers.Serializer[Any]):
    """An event in a sentence."""

    n = serializers.IntegerField()
    at = serializers.DateTimeField()
    by = serializers.CharField(allow_blank=True)
    text = serializers.CharField()
    moves = MoveSerializer(many=True)
    match = serializers.CharField(source="match_id", allow_null=True)
    undone = serializers.BooleanField()
    may_undo = serializers.BooleanField()
    may_redo = serializers.BooleanField()


class LadderSeasonRowSerializer(serializers.Serializer[Any]):
    """A row of the final table of a season."""

    rank = serializers.IntegerField()
    name = serializers.CharField()
    points = serializers.FloatField(required=False, allow_null=True)
    played = serializers.IntegerField(required=False)
    won = serializers.IntegerField(required=False)


class LadderSeasonSerializer(LadderSeasonHeadSerializer):
    """A season that is over."""

    table = LadderSeasonRowSerializer(many=True)


class LadderPlaceSerializer(serializers.Serializer[Any]):
    """The version of the ladder after an action, and the viewer's place."""

    version = serializers.IntegerField()
    mine = serializers.IntegerField(allow_null=True)
