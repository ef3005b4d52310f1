"""Serializers of match states (docs/protocol.md), which document the answers of play for the schema.

A state is sent as `games.events.for_viewer` built it: these serializers describe it and check nothing.
"""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from games.api.position_serializers import OutcomeSerializer, PositionField, side
from games.models import Match

PROVED = "64 small hex digits."


def element(**more: Any) -> serializers.CharField:
    """A field of 32 bytes in hex, or null."""
    return serializers.CharField(allow_null=True, help_text=PROVED, **more)


class TablePlayerSerializer(serializers.Serializer[Any]):
    """A player of a match."""

    name = serializers.CharField()
    bot = serializers.BooleanField()
    guest = serializers.BooleanField()


class TablePlayersSerializer(serializers.Serializer[Any]):
    """Both players; of an open game White alone."""

    white = TablePlayerSerializer()
    black = TablePlayerSerializer(required=False)


class ScoreSerializer(serializers.Serializer[Any]):
    """The score of a match; `length` 0 is a money session."""

    length = serializers.IntegerField()
    white = serializers.FloatField()
    black = serializers.FloatField()
    crawford = serializers.BooleanField(required=False, help_text="Only where there is a cube.")


class ResultSerializer(serializers.Serializer[Any]):
    """Who won a match, null for nobody, and how it ended."""

    winner = side(allow_null=True)
    by = serializers.ChoiceField(choices=Match.EndedBy.choices)


class ChangeSerializer(serializers.Serializer[Any]):
    before = serializers.FloatField()
    after = serializers.FloatField()


class ChangesSerializer(serializers.Serializer[Any]):
    """The rating changes of both players."""

    white = ChangeSerializer()
    black = ChangeSerializer()


class TermsField(serializers.JSONField):
    """The options besides length and clock, by their names."""


@extend_schema_field({"type": "object", "additionalProperties": {"type": ["boolean", "integer", "string"]}})
class OptionsField(TermsField):
    """The options of a game: `{"cube": true}`."""


class TableMatchSerializer(serializers.Serializer[Any]):
    """The match of a state."""

    id = serializers.CharField()
    variant = serializers.CharField()
    family = serializers.ChoiceField(choices=[("points", "points"), ("squares", "squares")])
    length = serializers.IntegerField()
    rated = serializers.BooleanField()
    status = serializers.ChoiceField(choices=Match.Status.choices)
    options = OptionsField()
    clock = serializers.CharField(help_text="The key of its preset.")
    players = TablePlayersSerializer()
    score = ScoreSerializer(allow_null=True, help_text="Null while the match is open.")
    game = serializers.IntegerField(allow_null=True)
    result = ResultSerializer(allow_null=True)
    ratings = ChangesSerializer(allow_null=True)
    rematch = serializers.CharField(allow_null=True, help_text="The id of the rematch.")
    arranged = serializers.BooleanField()
    title = serializers.CharField(allow_blank=True, help_text="The event that it is part of.")
    from_url = serializers.CharField(allow_blank=True, help_text="The path of the page of that event.")
    taken_back = serializers.IntegerField(help_text="How many plays were taken back, in a practice match.")


class ResignationSerializer(serializers.Serializer[Any]):
    """A resignation or a draw on offer."""

    seat = side()
    level = serializers.IntegerField()
    points = serializers.FloatField()
    draw = serializers.BooleanField()


class LastPlaySerializer(serializers.Serializer[Any]):
    """The last play of the game."""

    seat = side()
    dice = serializers.ListField(child=serializers.IntegerField(), allow_null=True)
    text = serializers.CharField()


class EndedSerializer(OutcomeSerializer):
    """How the previous game ended."""

    game = serializers.IntegerField()
    resigned = serializers.BooleanField()


class OvertimeSerializer(serializers.Serializer[Any]):
    white = serializers.IntegerField()
    black = serializers.IntegerField()


class ClockSerializer(serializers.Serializer[Any]):
    """A clock in milliseconds."""

    white = serializers.IntegerField()
    black = serializers.IntegerField()
    delay = serializers.IntegerField()
    delay_left = serializers.IntegerField()
    running = side(allow_null=True)
    bonus = serializers.IntegerField(required=False)
    overtime = OvertimeSerializer(required=False)


class PausedSerializer(serializers.Serializer[Any]):
    """Who paused the clocks or adjourned the match."""

    by = serializers.CharField(allow_blank=True)
    at = serializers.DateTimeField()
    why = serializers.CharField(required=False, allow_blank=True)
    adjourned = serializers.BooleanField(required=False)
    ready = serializers.ListField(child=serializers.CharField(), required=False)


class DiceHandSerializer(serializers.Serializer[Any]):
    """The dice contributions of a seat; the last three only for its own player, by correspondence."""

    end = element()
    commit = element()
    nonce = element()
    held = serializers.BooleanField()
    used = serializers.IntegerField()
    shown = element()
    deposited = serializers.BooleanField()
    order = serializers.BooleanField(required=False)
    unless_double = serializers.BooleanField(required=False)
    left = serializers.BooleanField(required=False)


class DiceHandsSerializer(serializers.Serializer[Any]):
    ready = serializers.BooleanField()
    s0 = serializers.CharField(help_text=PROVED)
    white = DiceHandSerializer()
    black = DiceHandSerializer()


class AbsenceSerializer(serializers.Serializer[Any]):
    since_ms = serializers.IntegerField()
    left_ms = serializers.IntegerField(required=False)
    may = serializers.ListField(child=serializers.CharField(), required=False)


class AwaySerializer(serializers.Serializer[Any]):
    """The players who are away."""

    white = AbsenceSerializer(required=False)
    black = AbsenceSerializer(required=False)


class OrdersSerializer(serializers.Serializer[Any]):
    """The conditional orders of this seat, by correspondence."""

    double = serializers.CharField(allow_null=True)
    forced = serializers.BooleanField(allow_null=True)
    may = serializers.ListField(child=serializers.CharField())


class ProofSerializer(serializers.Serializer[Any]):
    """The proof of a roll; an opening roll has both `a` and `b`."""

    i = serializers.IntegerField()
    who = serializers.ChoiceField(choices=[("A", "A"), ("B", "B"), ("O", "O")])
    a = serializers.CharField(required=False, help_text=PROVED)
    b = serializers.CharField(required=False, help_text=PROVED)
    s = serializers.CharField(help_text=PROVED)
    held = serializers.BooleanField(required=False)


class ActionSerializer(serializers.Serializer[Any]):
    """An action in a match."""

    n = serializers.IntegerField(help_text="Its number in the match: the version after it.")
    game = serializers.IntegerField()
    seat = serializers.ChoiceField(choices=[(name, name) for name in ("white", "black", "chance", "server")])
    text = serializers.CharField()
    ordered = serializers.BooleanField(required=False)
    proof = ProofSerializer(required=False)


class RecordedActionSerializer(ActionSerializer):
    """A recorded action and its time."""

    at = serializers.DateTimeField()


class StateSerializer(serializers.Serializer[Any]):
    """The match as this viewer may see it."""

    t = serializers.ChoiceField(choices=[("state", "state")])
    version = serializers.IntegerField()
    you = side(allow_null=True)
    may = serializers.ListField(child=serializers.CharField(), help_text="All actions that are possible now.")
    match = TableMatchSerializer()
    position = PositionField(allow_null=True)
    offer = ResignationSerializer(allow_null=True)
    resigns_at_once = serializers.BooleanField()
    ready = serializers.ListField(child=side())
    last = LastPlaySerializer(allow_null=True)
    ended = EndedSerializer(allow_null=True)
    clock = ClockSerializer(allow_null=True)
    paused = PausedSerializer(allow_null=True)
    away = AwaySerializer(required=False, help_text="Only in a match that is played live.")
    dice = DiceHandsSerializer(allow_null=True)
    orders = OrdersSerializer(required=False, allow_null=True, help_text="Only to a seat, by correspondence.")


class SyncSerializer(StateSerializer):
    """The actions after a version, and the present state. `more`: ask again after the last action."""

    t = serializers.ChoiceField(choices=[("actions", "actions")])
    actions = RecordedActionSerializer(many=True)
    more = serializers.BooleanField()


SyncSerializer._declared_fields["from"] = serializers.IntegerField()  # a keyword cannot be an attribute


class RollSerializer(ProofSerializer):
    dice = serializers.ListField(child=serializers.IntegerField())


class TranscriptSerializer(serializers.Serializer[Any]):
    """The commitments and all rolls so far (bgdice/1), for docs/verify_dice.py; `v` is null without a proof."""

    v = serializers.CharField(allow_null=True)
    match = serializers.CharField()
    note = serializers.CharField(required=False)
    s0 = serializers.CharField(required=False)
    a0 = serializers.CharField(required=False)
    b0 = serializers.CharField(required=False)
    cA = serializers.CharField(required=False)
    cB = serializers.CharField(required=False)
    nA = serializers.CharField(required=False)
    nB = serializers.CharField(required=False)
    rolls = RollSerializer(many=True)


class FrameSerializer(serializers.Serializer[Any]):
    action = ActionSerializer()
    position = PositionField()


class GameFramesSerializer(serializers.Serializer[Any]):
    """One game: the position before it, each action with the position after it, and how it ended."""

    start = PositionField(allow_null=True)
    frames = FrameSerializer(many=True)
    outcome = EndedSerializer(allow_null=True)
