"""Reports, and the judgements that are kept because they are asked for again."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from games.models import Match


class Report(models.Model):
    """What an engine says of a finished match, at one depth. The row is the job that makes it.

    `data` grows by a game at a time (docs/analysis.md has its shape), so that a killed worker loses one game. `done` of
    `total` decisions and rolls are judged; `touched_at` is the claim of the worker who judges. `engine` is the name and
    version of the engine.
    """

    class Depth(models.TextChoices):
        QUICK = "quick", _("quick")
        NORMAL = "normal", _("thorough")
        DEEP = "deep", _("deep")

    class Status(models.TextChoices):
        WAITING = "waiting", _("waiting")
        MAKING = "making", _("in progress")
        READY = "ready", _("ready")
        FAILED = "failed", _("failed")

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="reports")
    depth = models.CharField(max_length=6, choices=Depth.choices, default=Depth.QUICK)
    status = models.CharField(max_length=8, choices=Status.choices, default=Status.WAITING)
    done = models.PositiveIntegerField(default=0)
    total = models.PositiveIntegerField(default=0)
    tries = models.PositiveSmallIntegerField(default=0)
    asked_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    asked_at = models.DateTimeField()
    touched_at = models.DateTimeField()
    made_at = models.DateTimeField(null=True, blank=True)
    engine = models.CharField(max_length=40, blank=True, default="")
    data = models.JSONField(default=dict, blank=True)

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["match", "depth"], name="report_once_per_depth")]
        indexes: ClassVar = [
            models.Index(fields=["asked_at"], name="report_under_way", condition=Q(status__in=["waiting", "making"])),
            models.Index(fields=["asked_by", "-asked_at"], name="report_asked_by"),
        ]

    def __str__(self) -> str:
        return f"{self.match_id} {self.depth} {self.status} {self.done}/{self.total}"

    @property
    def percent(self) -> int:
        """How much of it is made, 0 to 100."""
        return 100 if self.status == self.Status.READY else min(99, 100 * self.done // max(self.total, 1))


class PositionCache(models.Model):
    """What an engine said of a position, the score, the dice, the depth and the engine being part of the key."""

    key = models.CharField(primary_key=True, max_length=64)
    answer = models.JSONField()
    used_at = models.DateTimeField()

    class Meta:
        indexes: ClassVar = [models.Index(fields=["used_at"], name="position_cache_used")]

    def __str__(self) -> str:
        return self.key


class AnalysisPreferences(models.Model):
    """A player's analysis preferences: analyse every match, and show the error rates to others."""

    user = models.OneToOneField(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="analysis_wishes")
    always = models.BooleanField(_("analyse all my matches"), default=False)
    public = models.BooleanField(_("make my error rates public"), default=False)

    def __str__(self) -> str:
        return f"{self.user_id}"
