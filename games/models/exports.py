"""Requested archives of a player's matches."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q


class ArchiveExport(models.Model):
    """A player's whole archive as one zip file, made in the background: `done` of `total` matches are in `body`.

    `touched_at` is the last moment that a worker wrote to it: a lost worker leaves its row untouched.
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
