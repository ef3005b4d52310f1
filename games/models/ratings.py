"""Ratings: pools, the log of rated matches, and what each of them changed.

A pool is the fold of its log: `RatedMatch` rows in the order of `n` (games.ratings). `Rating` and `RatingEvent` only
spare that fold, and `manage.py ratings_rebuild` makes the same numbers again.
"""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q

from games.engine import SIDES
from games.models.match import Match


class RatingPool(models.Model):
    """The players of one variant at one pace, or with computers (`games.rating_pools`).

    `matches` is the number of its last rated match.
    """

    variant = models.CharField(max_length=24)
    pace = models.CharField(max_length=16)
    matches = models.PositiveIntegerField(default=0)

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["variant", "pace"], name="pool_once")]

    def __str__(self) -> str:
        return f"{self.variant} {self.pace}"


class RatedMatch(models.Model):
    """One line of the log of a pool: the `n`-th rated match.

    `weight` is the match length n of the formula; `results` are White's points game by game where each game counts
    (1, 0.5, 0), else one number for the match; `winner` is a side. One that no longer `counts` was annulled: it keeps
    its line.
    """

    pool = models.ForeignKey(RatingPool, on_delete=models.PROTECT, related_name="log")
    n = models.PositiveIntegerField()
    match = models.OneToOneField(Match, on_delete=models.PROTECT, related_name="rated_match")
    at = models.DateTimeField()
    white = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    black = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    weight = models.FloatField()
    winner = models.CharField(max_length=5)
    results = models.JSONField()
    counts = models.BooleanField(default=True)

    class Meta:
        ordering: ClassVar = ["pool", "n"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["pool", "n"], name="rated_once_per_number"),
            models.CheckConstraint(condition=~Q(white=models.F("black")), name="rated_two_players"),
            models.CheckConstraint(condition=Q(winner__in=SIDES), name="rated_winner_is_a_side"),
        ]

    def __str__(self) -> str:
        return f"{self.pool_id} {self.n}. {self.match_id}"


class Rating(models.Model):
    """The current rating of a player in a pool. `deviation` and `volatility` are Glicko-2's; FIBS has none.

    `form` has the last results, W or L, the latest first.
    """

    pool = models.ForeignKey(RatingPool, on_delete=models.CASCADE, related_name="ratings")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="ratings")
    rating = models.FloatField()
    experience = models.FloatField(default=0)
    deviation = models.FloatField(null=True, blank=True)
    volatility = models.FloatField(null=True, blank=True)
    matches = models.PositiveIntegerField(default=0)
    wins = models.PositiveIntegerField(default=0)
    form = models.CharField(max_length=10, blank=True, default="")
    peak = models.FloatField()
    peak_at = models.DateTimeField()
    last_at = models.DateTimeField()

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["pool", "user"], name="rating_once")]
        indexes: ClassVar = [models.Index(fields=["pool", "-rating"], name="rating_pool_rating")]

    def __str__(self) -> str:
        return f"{self.user_id} {self.rating:.2f}"


class RatingEvent(models.Model):
    """The change by one rated match for one player, with the numbers of its calculation."""

    rated = models.ForeignKey(RatedMatch, on_delete=models.CASCADE, related_name="events")
    pool = models.ForeignKey(RatingPool, on_delete=models.CASCADE, related_name="events")
    n = models.PositiveIntegerField()
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="rating_events")
    at = models.DateTimeField()
    rating_before = models.FloatField()
    rating_after = models.FloatField()
    experience_before = models.FloatField(default=0)
    deviation_before = models.FloatField(null=True, blank=True)
    deviation_after = models.FloatField(null=True, blank=True)
    volatility_before = models.FloatField(null=True, blank=True)
    volatility_after = models.FloatField(null=True, blank=True)
    formula = models.JSONField(default=dict)

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["rated", "user"], name="rating_event_once")]
        indexes: ClassVar = [models.Index(fields=["user", "pool", "n"], name="rating_event_user")]

    def __str__(self) -> str:
        return f"{self.user_id} {self.rating_after - self.rating_before:+.2f}"


class ResultCorrection(models.Model):
    """A director's correction of a finished match: its result before and after, by whom and why. Append-only.

    `after` has `arranged` where the organisers of the match, at the desk of a tournament, made the correction.
    """

    match = models.ForeignKey(Match, on_delete=models.PROTECT, related_name="corrections")
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField()
    reason = models.CharField(max_length=200)
    before = models.JSONField()
    after = models.JSONField()

    class Meta:
        ordering: ClassVar = ["match", "pk"]

    def __str__(self) -> str:
        return f"{self.match_id}: {self.before} -> {self.after}"
