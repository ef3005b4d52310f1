"""The link that creates the first owner, and what the readiness probe writes."""

from __future__ import annotations

from django.db import models


class OwnerLink(models.Model):
    """The link that creates the first owner, by its digest: at most one row, so that a new link replaces the old."""

    THE_ROW = 1

    digest = models.CharField(max_length=64)
    made_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"made {self.made_at:%Y-%m-%d %H:%M}"


class ReadinessCheck(models.Model):
    """What `/health/ready` writes to learn whether the database can be written: one row."""

    THE_ROW = 1

    at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.at:%Y-%m-%d %H:%M:%S}"
