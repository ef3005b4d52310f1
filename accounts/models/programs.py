"""Programs that act for a person: the tokens that he made for them, and what came of his letting one in."""

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


class Admission(models.Model):
    """One yes of a person to a program that asked for him by OAuth 2: the tokens that came of it end with it."""

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="admissions")
    client = models.ForeignKey("allauth_idp_oidc.Client", on_delete=models.CASCADE, related_name="admissions")
    made_at = models.DateTimeField(default=clock.now)

    def __str__(self) -> str:
        return f"{self.user_id}: {self.client_id}"


class Spent(models.Model):
    """A code or a renewing token that was used, by its digest: who shows it again ends what came of it.

    `admission` is empty while it is being used for the first time.
    """

    admission = models.ForeignKey(Admission, on_delete=models.CASCADE, null=True, related_name="spent")
    digest = models.CharField(max_length=64, unique=True)
    made_at = models.DateTimeField(default=clock.now, db_index=True)

    def __str__(self) -> str:
        return f"{self.admission_id}: {self.digest[:8]}"
