"""The tables of time: until when the site was alive, and who is on vacation from his matches by correspondence."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import F, Q


class Alive(models.Model):
    """One row, written by the web processes once a second: the site was there at `at`, and without a gap from `since`.

    After a gap every running clock gets it back (`games.services.outage`). `begun_at` is when the last of its web
    processes began: those who were at the one before it had to come back.
    """

    THE_ROW = 1

    at = models.DateTimeField()
    since = models.DateTimeField()
    begun_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name_plural = "alive"
        constraints: ClassVar = [models.CheckConstraint(condition=Q(id=1), name="alive_is_one_row")]

    def __str__(self) -> str:
        return f"{self.since} - {self.at}"


class Vacation(models.Model):
    """A player's days away: until `ends_at` his clocks by correspondence stand. Who comes back early ends it then."""

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
