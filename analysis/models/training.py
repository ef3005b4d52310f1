"""What is made of reports: error rates over time, puzzles, a position a day, and questions about any position."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q

from accounts.models import Club
from analysis.error_rates import ErrorSum
from analysis.models.reports import Report
from games.engine import SIDES
from games.models import Match


class MatchTally(models.Model):
    """What a report says of one player, in sums that can be added over matches (`analysis.error_rates`).

    `lost` is in points at the cube of each decision. `parts` has the same two sums for every phase and kind of
    decision; `pace` is what `analysis.fair_play.DecisionTime` compares with the difficulty. There is one
    for each player of a match, of the report made last.
    """

    report = models.ForeignKey(Report, on_delete=models.CASCADE, related_name="tallies")
    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="+")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="tallies")
    ended_at = models.DateTimeField()
    decisions = models.PositiveIntegerField()
    lost = models.FloatField()
    parts = models.JSONField(default=dict)
    pace = models.JSONField(default=dict)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["match", "user"], name="tally_once"),
            models.CheckConstraint(condition=Q(lost__gte=0), name="tally_loses_nothing_or_more"),
        ]
        indexes: ClassVar = [
            models.Index(fields=["user", "-ended_at"], name="tally_of_player"),
            models.Index(fields=["-ended_at"], name="tally_ended"),
        ]

    def __str__(self) -> str:
        return f"{self.match_id} {self.user_id} {self.lost}/{self.decisions}"

    @property
    def sums(self) -> ErrorSum:
        """What can be added to those of other matches."""
        return ErrorSum(self.decisions, self.lost)


class TalliedReport(models.Model):
    """That a report was counted: its tallies and puzzles are those of the report as it was made then."""

    report = models.OneToOneField(Report, on_delete=models.CASCADE, related_name="counted")
    made_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.report_id} {self.made_at}"


class Puzzle(models.Model):
    """A decision out of a report that is worth deciding again.

    `xgid` is the moment before it with the player as White, whichever side they had. `n` is the number of the
    action that decided it. `options` are ``[text, equity]``, the best first; `words` say why the best is better.
    `loss` is what the played one gave away, 0 where it was right: `gap` is how much the next best would have.
    """

    class Kind(models.TextChoices):
        PLAY = "play", "play"
        DOUBLE = "double", "double"
        TAKE = "take", "take"

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="puzzles")
    n = models.PositiveIntegerField()
    game = models.PositiveSmallIntegerField()
    side = models.CharField(max_length=5, choices=[(side, side) for side in SIDES])
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    kind = models.CharField(max_length=6, choices=Kind.choices)
    phase = models.CharField(max_length=8)
    xgid = models.CharField(max_length=120)
    played = models.CharField(max_length=120)
    options = models.JSONField(default=list)
    words = models.JSONField(default=list)
    loss = models.FloatField()
    gap = models.FloatField(default=0)
    engine = models.CharField(max_length=40, blank=True, default="")

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["match", "n"], name="puzzle_once"),
            models.CheckConstraint(condition=Q(side__in=SIDES), name="puzzle_side_is_a_side"),
        ]
        indexes: ClassVar = [models.Index(fields=["user", "-loss"], name="puzzle_of_player")]

    def __str__(self) -> str:
        return f"{self.match_id} {self.n} -{self.loss}"


class TrainerCard(models.Model):
    """A puzzle in the trainer of the player who made the error, and when it comes again (`analysis.trainer`).

    `begun` is the day on which it was asked first.
    """

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="cards")
    puzzle = models.ForeignKey(Puzzle, on_delete=models.CASCADE, related_name="cards")
    box = models.PositiveSmallIntegerField(default=0)
    due = models.DateField()
    seen = models.PositiveIntegerField(default=0)
    right = models.PositiveIntegerField(default=0)
    begun = models.DateField(null=True, blank=True)
    answered_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["user", "puzzle"], name="card_once")]
        indexes: ClassVar = [models.Index(fields=["user", "due"], name="card_due")]

    def __str__(self) -> str:
        return f"{self.user_id} {self.puzzle_id} {self.box}"


class DailyPuzzle(models.Model):
    """The position of a day. Its answer is shown when the day is over."""

    day = models.DateField(unique=True)
    puzzle = models.OneToOneField(Puzzle, on_delete=models.CASCADE, related_name="daily")

    def __str__(self) -> str:
        return f"{self.day} {self.puzzle_id}"


class DailyVote(models.Model):
    """How somebody decided the position of a day; `loss` is None for a play that the report did not list."""

    daily = models.ForeignKey(DailyPuzzle, on_delete=models.CASCADE, related_name="votes")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    answer = models.CharField(max_length=120)
    loss = models.FloatField(null=True, blank=True)
    at = models.DateTimeField()

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["daily", "user"], name="vote_once")]

    def __str__(self) -> str:
        return f"{self.daily_id} {self.user_id} {self.answer}"


class PositionQuestion(models.Model):
    """A position that somebody asked about. The row is the job that answers it; `tried_at` is the claim of a worker.

    That of a hint stood in a `match` of the player against the computer, of this `variant`.
    """

    class Status(models.TextChoices):
        WAITING = "waiting", "waiting"
        READY = "ready", "ready"
        FAILED = "failed", "failed"

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    xgid = models.CharField(max_length=120)
    match = models.ForeignKey(Match, null=True, blank=True, on_delete=models.CASCADE, related_name="+")
    variant = models.CharField(max_length=24, default="backgammon")
    depth = models.CharField(max_length=6, choices=Report.Depth.choices, default=Report.Depth.NORMAL)
    status = models.CharField(max_length=8, choices=Status.choices, default=Status.WAITING)
    asked_at = models.DateTimeField()
    tried_at = models.DateTimeField(null=True, blank=True)
    tries = models.PositiveSmallIntegerField(default=0)
    answer = models.JSONField(default=dict, blank=True)

    class Meta:
        indexes: ClassVar = [
            models.Index(fields=["user", "-asked_at"], name="question_of_player"),
            models.Index(fields=["asked_at"], name="question_waiting", condition=Q(status="waiting")),
        ]

    def __str__(self) -> str:
        return f"{self.user_id} {self.xgid}"


class FairPlayView(models.Model):
    """A director looked at the fair play report of a club: at the list, or at one player (`about`). Append-only."""

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="+")
    by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    about = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.CASCADE, related_name="+"
    )
    at = models.DateTimeField()

    class Meta:
        ordering: ClassVar = ["-at", "-pk"]
        indexes: ClassVar = [models.Index(fields=["club", "-at"], name="fair_play_look_last")]

    def __str__(self) -> str:
        return f"{self.club_id} {self.by_id} {self.about_id}"
