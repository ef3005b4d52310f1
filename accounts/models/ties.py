"""What one person decides about another: blocks, mutes, whom he follows, and what he notes for himself."""

from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.db.models import F, Q
from django.utils import timezone as clock

from accounts.models.people import User


class Tie(models.Model):
    """One decision of `by` about another person. He alone knows of it; two who follow each other are friends.

    A block holds both ways (no invitations, no talk, no watching); a mute hides what the other says from `by` alone.
    """

    class Kind(models.TextChoices):
        BLOCK = "block"
        MUTE = "mute"
        FOLLOW = "follow"

    by = models.ForeignKey(User, on_delete=models.CASCADE, related_name="ties")
    about = models.ForeignKey(User, on_delete=models.CASCADE, related_name="ties_about")
    kind = models.CharField(max_length=6, choices=Kind.choices)
    at = models.DateTimeField(default=clock.now)

    class Meta:
        ordering: ClassVar = ["-at", "-pk"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["by", "about", "kind"], name="tie_once"),
            models.CheckConstraint(condition=~Q(by=F("about")), name="tie_with_another"),
        ]

    def __str__(self) -> str:
        return f"{self.by_id} {self.kind} {self.about_id}"


class PlayerNote(models.Model):
    """What a member wrote for himself about another player."""

    by = models.ForeignKey(User, on_delete=models.CASCADE, related_name="player_notes")
    about = models.ForeignKey(User, on_delete=models.CASCADE, related_name="+")
    text = models.TextField(max_length=2000)
    at = models.DateTimeField(default=clock.now)

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["by", "about"], name="player_note_once")]

    def __str__(self) -> str:
        return f"{self.by_id} about {self.about_id}"
