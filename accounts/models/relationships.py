"""Relationships between users: blocks, mutes and follows, and private notes about players."""

from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.db.models import F, Q
from django.utils import timezone as clock

from accounts.models.users import User


class Relationship(models.Model):
    """A block, mute or follow of `by` about another user, visible to `by` alone; mutual followers are friends.

    A block works both ways (no invitations, no chat, no watching); a mute hides the other's messages from `by` alone.
    """

    class Kind(models.TextChoices):
        BLOCK = "block"
        MUTE = "mute"
        FOLLOW = "follow"

    by = models.ForeignKey(User, on_delete=models.CASCADE, related_name="relationships")
    about = models.ForeignKey(User, on_delete=models.CASCADE, related_name="relationships_about")
    kind = models.CharField(max_length=6, choices=Kind.choices)
    at = models.DateTimeField(default=clock.now)

    class Meta:
        ordering: ClassVar = ["-at", "-pk"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["by", "about", "kind"], name="relationship_once"),
            models.CheckConstraint(condition=~Q(by=F("about")), name="relationship_with_another"),
        ]

    def __str__(self) -> str:
        return f"{self.by_id} {self.kind} {self.about_id}"


class PlayerNote(models.Model):
    """A private note of a member about another player."""

    by = models.ForeignKey(User, on_delete=models.CASCADE, related_name="player_notes")
    about = models.ForeignKey(User, on_delete=models.CASCADE, related_name="+")
    text = models.TextField(max_length=2000)
    at = models.DateTimeField(default=clock.now)

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["by", "about"], name="player_note_once")]

    def __str__(self) -> str:
        return f"{self.by_id} about {self.about_id}"
