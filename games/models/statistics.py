"""What finished matches hold in numbers, counted once when they end, so that no page replays them (games.facts)."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models

from games.models.play import Seat


class SeatFacts(models.Model):
    """One player's side of a finished match in numbers.

    `doubles_taken` and `doubles_dropped` are his answers, `doubles_cashed` those of his doubles that the rival dropped.
    `rolls` and `pips` count what he threw alone, so not the opening. `bar_rolls` were thrown with a man on the bar, and
    after `bar_entered` of them one came in; chance alone would have let in `bar_expected`, give or take the root of
    `bar_variance`. `thinking_ms` is his time on the clock, delays included.
    """

    seat = models.OneToOneField(Seat, primary_key=True, on_delete=models.CASCADE, related_name="facts")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    rival = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
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
            models.Index(fields=["user", "rival"], name="facts_user_rival"),
        ]

    def __str__(self) -> str:
        return f"facts of {self.seat_id}"


class RollCount(models.Model):
    """How often a player threw each pair of dice in a variant at a pace: `dice` is the higher and the lower number."""

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
