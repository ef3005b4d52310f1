"""Vacations from matches by correspondence."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import F, Q


class Vacation(models.Model):
    """A player's vacation: until `ends_at` their clocks by correspondence stand. Ending it early moves `ends_at`."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="vacations")
    starts_at = models.DateTimeField()
    ends_at = models.DateTimeField()

    class Meta:
        ordering: ClassVar = ["user", "starts_at"]
        indexes: ClassVar = [models.Index(fields=["user", "-ends_at"], name="vacation_user_ends")]
        constraints: ClassVar = [
            models.CheckConstraint(condition=Q(ends_at__gte=F("starts_at")), name="vacation_ends_after_its_start")
        ]

    def __str__(self) -> str:
        return f"{self.user_id} {self.starts_at:%Y-%m-%d} - {self.ends_at:%Y-%m-%d}"
