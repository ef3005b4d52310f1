"""Statistics of finished matches, counted once when they end, so that no page replays them (games.match_facts)."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models

from games.models.match import Seat


class SeatFacts(models.Model):
    """The numbers of one player's side of a finished match; `opponent` is the other player.

    `doubles_taken` and `doubles_dropped` are the player's answers, `doubles_cashed` their doubles that the opponent
    dropped. `rolls` and `pips` count the rolls of the player alone, so not the opening. `bar_rolls` were made with a
    checker on the bar, and after `bar_entered` of them one entered; chance alone would have entered `bar_expected`,
    give or take the root of `bar_variance`. `thinking_ms` is the player's time on the clock, delays included.
    """

    seat = models.OneToOneField(Seat, primary_key=True, on_delete=models.CASCADE, related_name="facts")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    opponent = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    variant = models.CharField(max_length=24)
    pace = models.CharField(max_length=16)
    length = models.PositiveSmallIntegerField()
    won = models.BooleanField(null=True)
    points = models.FloatField(default=0)
    rival_points = models.FloatField(default=0)
    ended_at = models.DateTimeField()
    games = models.PositiveIntegerField(default=0)
    games_won = models.PositiveIntegerField(default=0)
    games_lost = models.PositiveIntegerField(default=0)
    gammons_won = models.PositiveIntegerField(default=0)
    backgammons_won = models.PositiveIntegerField(default=0)
    gammons_lost = models.PositiveIntegerField(default=0)
    backgammons_lost = models.PositiveIntegerField(default=0)
    doubles_offered = models.PositiveIntegerField(default=0)
    doubles_taken = models.PositiveIntegerField(default=0)
    doubles_dropped = models.PositiveIntegerField(default=0)
    doubles_cashed = models.PositiveIntegerField(default=0)
    rolls = models.PositiveIntegerField(default=0)
    rolls_double = models.PositiveIntegerField(default=0)
    pips = models.PositiveIntegerField(default=0)
    bar_rolls = models.PositiveIntegerField(default=0)
    bar_entered = models.PositiveIntegerField(default=0)
    bar_expected = models.FloatField(default=0)
    bar_variance = models.FloatField(default=0)
    plays = models.PositiveIntegerField(default=0)
    thinking_ms = models.PositiveBigIntegerField(default=0)

    class Meta:
        indexes: ClassVar = [
            models.Index(fields=["user", "variant", "length"], name="facts_user_variant"),
            models.Index(fields=["user", "opponent"], name="facts_user_opponent"),
        ]

    def __str__(self) -> str:
        return f"facts of {self.seat_id}"


class RollCount(models.Model):
    """How often a player rolled each pair of dice in a variant at a pace: `dice` is the higher and the lower number."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="roll_counts")
    variant = models.CharField(max_length=24)
    pace = models.CharField(max_length=16)
    dice = models.PositiveSmallIntegerField()
    count = models.PositiveIntegerField(default=0)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["user", "variant", "pace", "dice"], name="roll_count_once"),
        ]

    def __str__(self) -> str:
        return f"{self.user_id} {self.variant} {self.pace} {self.dice}: {self.count}"
