"""The tables of ladders. A ladder is the fold of its events (ladders.rules); the other rows spare that fold."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from accounts.models import Club
from games.models.match import Match, new_match_id


class Ladder(models.Model):
    """A ladder of a club: its rules are data (`config`), its matches are played on these terms.

    The version is the number of its last event and `state` the fold of them: ``{"order": [user ids, the first on top],
    ...}``. A rating ladder has no players of its own: its order is that of the ratings of active players.
    `created_by` is empty for the ladders of a new site whose club has no owner yet.
    """

    class Kind(models.TextChoices):
        RATING = "rating", _("by rating")
        CHALLENGE = "challenge", _("by challenge")
        SEASON = "season", _("season points")
        HILL = "hill", _("king of the hill")

    class Status(models.TextChoices):
        OPEN = "open", _("open")
        CLOSED = "closed", _("closed")

    id = models.CharField(primary_key=True, max_length=16, default=new_match_id, editable=False)
    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="ladders")
    name = models.CharField(max_length=60)
    kind = models.CharField(max_length=10, choices=Kind.choices)
    variant = models.CharField(max_length=24)
    length = models.PositiveSmallIntegerField()
    clock_preset = models.CharField(max_length=16)
    options = models.JSONField(default=dict, blank=True)
    rated = models.BooleanField(default=True)
    config = models.JSONField(default=dict, blank=True)
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.OPEN)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    created_at = models.DateTimeField()

    season = models.PositiveSmallIntegerField(default=1)
    season_name = models.CharField(max_length=60, blank=True, default="")
    season_started_at = models.DateTimeField()
    season_ends_at = models.DateTimeField(null=True, blank=True)

    version = models.PositiveIntegerField(default=0)
    state = models.JSONField(default=dict, blank=True)

    class Meta:
        ordering: ClassVar = ["club", "name"]
        constraints: ClassVar = [models.UniqueConstraint(fields=["club", "name"], name="ladder_name_once_per_club")]

    def __str__(self) -> str:
        return self.name


class LadderEvent(models.Model):
    """One thing that happened on a ladder, numbered without gaps. Append-only: an undo is an event that names another.

    `by` is who did it; empty for what a deadline did.
    """

    ladder = models.ForeignKey(Ladder, on_delete=models.CASCADE, related_name="events")
    n = models.PositiveIntegerField()
    season = models.PositiveSmallIntegerField()
    type = models.CharField(max_length=20)
    payload = models.JSONField(default=dict, blank=True)
    at = models.DateTimeField()
    by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    match = models.ForeignKey(Match, null=True, blank=True, on_delete=models.PROTECT, related_name="+")

    class Meta:
        ordering: ClassVar = ["ladder", "n"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["ladder", "n"], name="ladder_event_once_per_number"),
            models.UniqueConstraint(
                fields=["ladder", "match"], condition=Q(match__isnull=False), name="ladder_event_once_per_match"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.ladder_id} {self.n}. {self.type}"


class LadderPlayer(models.Model):
    """A player's place on a ladder now, 1 on top; None for a former player. `due_at` is for the sweep."""

    ladder = models.ForeignKey(Ladder, on_delete=models.CASCADE, related_name="players")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="ladder_places")
    rank = models.PositiveIntegerField(null=True, blank=True)
    rank_before = models.PositiveIntegerField(null=True, blank=True)
    points = models.FloatField(default=0)
    played = models.PositiveIntegerField(default=0)
    won = models.PositiveIntegerField(default=0)
    joined_at = models.DateTimeField()
    active_at = models.DateTimeField()
    immune_until = models.DateTimeField(null=True, blank=True)
    away_until = models.DateTimeField(null=True, blank=True)
    frozen = models.BooleanField(default=False)
    due_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering: ClassVar = ["ladder", "rank"]
        constraints: ClassVar = [models.UniqueConstraint(fields=["ladder", "user"], name="ladder_player_once")]
        indexes: ClassVar = [
            models.Index(fields=["due_at"], name="ladder_player_due", condition=Q(due_at__isnull=False)),
        ]

    def __str__(self) -> str:
        return f"{self.ladder_id} {self.rank}. {self.user_id}"


class LadderChallenge(models.Model):
    """A challenge of one player to another for their places. `due_at` is the running deadline: to accept or to play."""

    class Status(models.TextChoices):
        OFFERED = "offered", _("waiting for an answer")
        ACCEPTED = "accepted", _("to be played")
        DONE = "done", _("played")
        FORFEIT = "forfeit", _("forfeited")
        DROPPED = "dropped", _("called off")

    ladder = models.ForeignKey(Ladder, on_delete=models.CASCADE, related_name="challenges")
    challenger = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    defender = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    status = models.CharField(max_length=10, choices=Status.choices, default=Status.OFFERED)
    made_at = models.DateTimeField()
    accepted_at = models.DateTimeField(null=True, blank=True)
    due_at = models.DateTimeField(null=True, blank=True)
    ended_at = models.DateTimeField(null=True, blank=True)
    match = models.OneToOneField(
        Match, null=True, blank=True, on_delete=models.PROTECT, related_name="ladder_challenge"
    )
    winner = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )

    class Meta:
        constraints: ClassVar = [
            models.CheckConstraint(condition=~Q(challenger=F("defender")), name="ladder_challenge_of_two"),
        ]
        indexes: ClassVar = [
            models.Index(fields=["due_at"], name="ladder_challenge_due", condition=Q(due_at__isnull=False)),
            models.Index(fields=["ladder", "status"], name="ladder_challenge_status"),
        ]

    def __str__(self) -> str:
        return f"{self.ladder_id}: {self.challenger_id} - {self.defender_id}"


class LadderSeason(models.Model):
    """A season that is over, with its final table as it stood: ``[{"rank", "user", "name", "points", ...}]``."""

    ladder = models.ForeignKey(Ladder, on_delete=models.CASCADE, related_name="seasons")
    number = models.PositiveSmallIntegerField()
    name = models.CharField(max_length=60, blank=True, default="")
    started_at = models.DateTimeField()
    ended_at = models.DateTimeField()
    table = models.JSONField(default=list)

    class Meta:
        ordering: ClassVar = ["ladder", "-number"]
        constraints: ClassVar = [models.UniqueConstraint(fields=["ladder", "number"], name="ladder_season_once")]

    def __str__(self) -> str:
        return f"{self.ladder_id} season {self.number}"


class LadderPulse(models.Model):
    """One row: when the sweep last ran. A long gap before it was an outage, and is given back (L9)."""

    at = models.DateTimeField()

    def __str__(self) -> str:
        return self.at.isoformat()
