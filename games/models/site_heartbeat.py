"""The heartbeats of the site and of each of its web processes: until when they were alive."""

from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.db.models import Q


class SiteHeartbeat(models.Model):
    """One row, written by the web processes four times a second: the site served at `at`.

    It had no outage from `since` on. After a gap every running clock gets it back (`games.services.outage`). `begun_at`
    is when the last of its web processes began: the players of the one before it had to reconnect.
    """

    THE_ROW = 1

    at = models.DateTimeField()
    since = models.DateTimeField()
    begun_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name_plural = "site heartbeat"
        constraints: ClassVar = [models.CheckConstraint(condition=Q(id=1), name="site_heartbeat_is_one_row")]

    def __str__(self) -> str:
        return f"{self.since} - {self.at}"


class WebProcess(models.Model):
    """A web process that serves, alive at `at`; it removes its row when it stops by itself.

    `id` is made anew at each start. A row that grows old was left by a process that is gone, or has no way to the
    database (`games.services.web_processes`).
    """

    id = models.UUIDField(primary_key=True)
    at = models.DateTimeField()

    class Meta:
        verbose_name_plural = "web processes"

    def __str__(self) -> str:
        return f"{self.pk} at {self.at}"
