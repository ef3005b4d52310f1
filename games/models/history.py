"""What a player keeps about matches for himself, and the archives that he asked for."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q

from games.models.play import Match


class MatchMark(models.Model):
    """A player's own mark on a match: a favourite, a note. Nobody else ever sees it."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="match_marks")
    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="marks")
    favourite = models.BooleanField(default=False)
    note = models.TextField(max_length=2000, blank=True, default="")
    changed_at = models.DateTimeField()

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["user", "match"], name="match_mark_once")]
        indexes: ClassVar = [
            models.Index(fields=["user"], name="match_mark_favourite", condition=Q(favourite=True)),
        ]

    def __str__(self) -> str:
        return f"{self.user_id} {self.match_id}"


class MatchTag(models.Model):
    """A word that a player puts on a match to find it again; his own, as a mark is. `key` is the word case-folded."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="match_tags")
    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="tags")
    name = models.CharField(max_length=24)
    key = models.CharField(max_length=72)

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["user", "match", "key"], name="match_tag_once")]
        indexes: ClassVar = [models.Index(fields=["user", "key"], name="match_tag_key")]

    def __str__(self) -> str:
        return f"{self.user_id} {self.match_id} {self.name}"


class ArchiveExport(models.Model):
    """A player's whole archive as one zip file, made in the background: `done` of `total` matches are in `body`.

    `touched_at` is the last moment that a worker wrote to it: one that is gone leaves its row untouched.
    """

    class Status(models.TextChoices):
        WAITING = "waiting"
        MAKING = "making"
        READY = "ready"
        FAILED = "failed"

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="archive_exports")
    status = models.CharField(max_length=8, choices=Status.choices, default=Status.WAITING)
    done = models.PositiveIntegerField(default=0)
    total = models.PositiveIntegerField(default=0)
    asked_at = models.DateTimeField()
    touched_at = models.DateTimeField()
    body = models.BinaryField(null=True, blank=True)

    class Meta:
        indexes: ClassVar = [models.Index(fields=["user", "-asked_at"], name="archive_export_user")]
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["user"], condition=Q(status__in=["waiting", "making"]), name="archive_export_one_at_a_time"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.user_id} {self.status} {self.done}/{self.total}"
