"""The one row that running a site needs."""

from __future__ import annotations

from django.db import models


class OwnerLink(models.Model):
    """The link that makes the first owner, by its digest: one row at most, so that a new link replaces the old."""

    THE_ROW = 1

    digest = models.CharField(max_length=64)
    made_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"made {self.made_at:%Y-%m-%d %H:%M}"
