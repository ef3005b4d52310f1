"""Programs that act for a person: the tokens that he made for them."""

from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.utils import timezone as clock

from accounts.models.people import User


class PersonalToken(models.Model):
    """What a program shows to act for a member: only its digest is kept, so nobody can read it later.

    `scopes` are words of `accounts.scopes`, with blanks between; `tail` are the last characters, by which its owner
    knows it again. It opens nothing after `expires_at`.
    """

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="personal_tokens")
    name = models.CharField(max_length=60)
    digest = models.CharField(max_length=64, unique=True)
    tail = models.CharField(max_length=4)
    scopes = models.CharField(max_length=200)
    made_at = models.DateTimeField(default=clock.now)
    expires_at = models.DateTimeField(null=True, blank=True)
    used_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering: ClassVar = ["-made_at", "-pk"]

    def __str__(self) -> str:
        return f"{self.user_id} …{self.tail}"

    @property
    def scope_set(self) -> frozenset[str]:
        return frozenset(self.scopes.split())

    @property
    def expired(self) -> bool:
        """Whether its time is over."""
        return self.expires_at is not None and self.expires_at <= clock.now()
