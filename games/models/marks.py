"""A player's private marks on matches: favourites, notes, tags."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q

from games.models.match import Match


class MatchMark(models.Model):
    """A player's private mark on a match: a favourite, a note."""

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
    """A private tag of a player on a match, to find it again. `key` is the name case-folded."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="match_tags")
    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="tags")
    name = models.CharField(max_length=24)
    key = models.CharField(max_length=72)

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["user", "match", "key"], name="match_tag_once")]
        indexes: ClassVar = [models.Index(fields=["user", "key"], name="match_tag_key")]

    def __str__(self) -> str:
        return f"{self.user_id} {self.match_id} {self.name}"
