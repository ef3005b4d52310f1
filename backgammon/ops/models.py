"""The model of the link that creates the first owner."""

from __future__ import annotations

from django.db import models


class OwnerLink(models.Model):
    """The link that creates the first owner, by its digest: at most one row, so that a new link replaces the old."""

    THE_ROW = 1

    digest = models.CharField(max_length=64)
    made_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"made {self.made_at:%Y-%m-%d %H:%M}"
