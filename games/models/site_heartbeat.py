"""The heartbeat of the site: until when it was alive."""

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
