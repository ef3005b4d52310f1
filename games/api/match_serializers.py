"""Serializers of matches in lists, and of the parts of one match: games, files, marks and statistics."""

from __future__ import annotations

from typing import Any

from django.urls import reverse
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from games import clocks
from games.api.position_serializers import OutcomeSerializer, side
from games.api.state_serializers import OptionsField, RecordedActionSerializer, ResultSerializer, ScoreSerializer
from games.dice_statistics import Comparison
from games.models import Match


class SeatSerializer(serializers.Serializer[Any]):
    """A side of a match, and who sits there: a player, or a name out of a file (`member` false)."""

    side = side()
    name = serializers.CharField()
    member = serializers.SerializerMethodField()
    bot = serializers.SerializerMethodField()
    guest = serializers.SerializerMethodField()
    points = serializers.FloatField()
    won = serializers.BooleanField(allow_null=True)

    def get_member(self, seat: Any) -> bool:
        return seat.user is not None

    def get_bot(self, seat: Any) -> bool:
        return bool(seat.user and seat.user.is_bot)

    def get_guest(self, seat: Any) -> bool:
        return bool(seat.user and seat.user.is_guest)


class MarkSerializer(serializers.Serializer[Any]):
    """A player's private marks on a match."""

    favourite = serializers.BooleanField()
    note = serializers.CharField(allow_blank=True)
    tags = serializers.ListField(child=serializers.CharField())


class MatchRowSerializer(serializers.Serializer[Any]):
    """A match of a list: the viewer's own seat first, else White's. An open game has no seats yet."""

    id = serializers.CharField(source="match.pk")
    variant = serializers.CharField(source="match.variant")
    length = serializers.IntegerField(source="match.length")
    clock = serializers.CharField(source="match.clock_preset")
    pace = serializers.SerializerMethodField()
    rated = serializers.BooleanField(source="match.rated")
    options = OptionsField(source="match.options")
    status = serializers.ChoiceField(choices=Match.Status.choices, source="match.status")
    seats = SeatSerializer(many=True)
    result = serializers.SerializerMethodField()
    created_at = serializers.DateTimeField(source="match.created_at")
    started_at = serializers.DateTimeField(source="match.started_at", allow_null=True)
    ended_at = serializers.DateTimeField(source="match.ended_at", allow_null=True)
    title = serializers.CharField(source="match.title", allow_blank=True)
    from_url = serializers.CharField(source="match.from_url", allow_blank=True)
    origin = serializers.CharField(
        source="match.source", allow_blank=True, help_text="The format of the file that it came from, or `board`."
    )
    adjourned = serializers.BooleanField()
    your_turn = serializers.BooleanField(source="my_turn")
    mark = MarkSerializer(allow_null=True, help_text="Only in your own history.")
    page = serializers.SerializerMethodField(help_text="The path of its page.")

    def get_pace(self, row: Any) -> str:
        return clocks.pace_of(row.match.clock_preset)

    def get_page(self, row: Any) -> str:
        return reverse("match", args=[row.match.pk])

    @extend_schema_field(ResultSerializer(allow_null=True))
    def get_result(self, row: Any) -> dict[str, Any] | None:
        match = row.match
        return {"winner": match.winner or None, "by": match.ended_by} if match.ended_by else None


class OfferedRowSerializer(MatchRowSerializer):
    """An open game or challenge: its creator, and the invited player (null: anyone)."""

    creator = serializers.CharField(source="match.creator.username")
    invited = serializers.SerializerMethodField()

    def get_invited(self, row: Any) -> str | None:
        return row.match.invited.username if row.match.invited is not None else None


class LobbySerializer(serializers.Serializer[Any]):
    """The lists of the lobby as this viewer sees them, at most 30 each."""

    running = MatchRowSerializer(many=True)
    adjourned = MatchRowSerializer(many=True)
    challenges = OfferedRowSerializer(many=True)
    offered = OfferedRowSerializer(many=True)
    seeks = OfferedRowSerializer(many=True)
    live = MatchRowSerializer(many=True)
    recent = MatchRowSerializer(many=True)


class MatchPageSerializer(serializers.Serializer[Any]):
    """A page of finished matches."""

    results = MatchRowSerializer(many=True)
    next = serializers.CharField(allow_null=True, help_text="The `cursor` of the next page; null at the end.")
    count = serializers.IntegerField(help_text="The total, counted up to 1,001.")


class GameSerializer(serializers.Serializer[Any]):
    """A game of a match: the score before it and, once it is over, how it ended."""

    number = serializers.IntegerField()
    score = serializers.SerializerMethodField()
    outcome = serializers.SerializerMethodField()
    started_at = serializers.DateTimeField()
    ended_at = serializers.DateTimeField(allow_null=True)

    @extend_schema_field(ScoreSerializer)
    def get_score(self, game: Any) -> dict[str, Any]:
        before = {"length": game.match.length, "white": 0, "black": 0, **game.score_before}
        return {key: before[key] for key in ("length", "white", "black", "crawford") if key in before}

    @extend_schema_field(OutcomeSerializer(allow_null=True))
    def get_outcome(self, game: Any) -> dict[str, Any] | None:
        if not game.kind:
            return None
        return {"winner": game.winner or None, "points": game.points, "kind": game.kind}


class FileSerializer(serializers.Serializer[Any]):
    """A file of a finished match and its URL."""

    kind = serializers.CharField()
    url = serializers.CharField()


class RatingChangeSerializer(serializers.Serializer[Any]):
    """The rating change of one player by a match, with its calculation in a line."""

    side = side()
    name = serializers.CharField()
    before = serializers.FloatField()
    after = serializers.FloatField()
    change = serializers.FloatField()
    sentence = serializers.CharField()


class CorrectionSerializer(serializers.Serializer[Any]):
    """A director's correction of a result: who won before and after it (null: nobody)."""

    by = serializers.CharField(source="row.by.username")
    at = serializers.DateTimeField(source="row.at")
    reason = serializers.CharField(source="row.reason")
    was = serializers.CharField(allow_null=True)
    now = serializers.CharField(allow_null=True)


class RecordSerializer(serializers.Serializer[Any]):
    """A match without its actions: its row, games, files, rating changes and corrections."""

    match = MatchRowSerializer()
    version = serializers.IntegerField()
    games = GameSerializer(many=True)
    files = FileSerializer(many=True)
    ratings = RatingChangeSerializer(many=True)
    annulled = serializers.BooleanField()
    corrections = CorrectionSerializer(many=True)
    may_correct = serializers.BooleanField()
    mark = MarkSerializer(allow_null=True)


class ActionPageSerializer(serializers.Serializer[Any]):
    """Recorded actions in their order. `next`: the version to continue after, null at the end."""

    version = serializers.IntegerField()
    next = serializers.IntegerField(allow_null=True)
    results = RecordedActionSerializer(many=True)


class ComparisonSerializer(serializers.Serializer[Any]):
    """A number compared with its expectation; `verdict` 0 is inside the band of 95 %, 2 and -2 outside that of 99 %."""

    found = serializers.FloatField()
    expected = serializers.FloatField()
    likely = serializers.ListField(child=serializers.FloatField())
    possible = serializers.ListField(child=serializers.FloatField())
    verdict = serializers.IntegerField()


class RollCountSerializer(ComparisonSerializer):
    dice = serializers.IntegerField(help_text="Higher and lower die: 31.")


class DiceReportSerializer(serializers.Serializer[Any]):
    """The dice rolled, compared with fair dice. No p-value for fewer than 42 rolls."""

    rolls = serializers.IntegerField()
    found = serializers.SerializerMethodField()
    chi_square = serializers.FloatField()
    p_value = serializers.SerializerMethodField()
    doubles = ComparisonSerializer(allow_null=True)
    pips = ComparisonSerializer(allow_null=True)
    bar = ComparisonSerializer(allow_null=True)
    bar_rolls = serializers.IntegerField()

    @extend_schema_field(RollCountSerializer(many=True))
    def get_found(self, dice: Any) -> list[dict[str, Any]]:
        return [_count(number, found) for number, found in dice.found.items()]

    def get_p_value(self, dice: Any) -> float | None:
        return dice.p_value if dice.has_p_value else None


def _count(number: int, found: Comparison) -> dict[str, Any]:
    return {"dice": number, **ComparisonSerializer(found).data}


class SiteDiceSerializer(serializers.Serializer[Any]):
    """The dice of all counted matches, or of one game."""

    matches = serializers.IntegerField()
    variants = serializers.ListField(child=serializers.CharField())
    dice = DiceReportSerializer()


class MatchDiceSerializer(serializers.Serializer[Any]):
    both = DiceReportSerializer()
    white = DiceReportSerializer()
    black = DiceReportSerializer()
