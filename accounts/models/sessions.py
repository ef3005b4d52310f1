"""Active sessions of members, and the queue of account e-mail."""

from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.utils import timezone as clock

from accounts.models.users import User


class ActiveSession(models.Model):
    """A signed-in device of a member, as their list of sessions shows it.

    The browser and the system are our own names (accounts.auth.user_agents), never the user agent itself, and no IP
    address is stored. A row without a valid Django session means nothing; `auth.services.sessions_prune` deletes it.
    """

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="active_sessions")
    session_key = models.CharField(max_length=40, unique=True)
    browser = models.CharField(max_length=20, blank=True, default="")
    system = models.CharField(max_length=20, blank=True, default="")
    made_at = models.DateTimeField(default=clock.now)
    seen_at = models.DateTimeField(default=clock.now)

    def __str__(self) -> str:
        return f"{self.user_id}: {self.browser} {self.system}"


class QueuedEmail(models.Model):
    """An account e-mail that waits to be sent: a password reset, a confirmation, a warning.

    A request for a reset is answered before anybody looks up the address: for that `kind` the worker looks up the
    account and renders the text. A row is deleted when it is sent, or too old to be useful.
    """

    class Kind(models.TextChoices):
        RESET = "reset"  # the owner of the address may choose a new password: looked up when it is sent
        RENDERED = "rendered"

    kind = models.CharField(max_length=10, choices=Kind.choices, default=Kind.RENDERED)
    address = models.EmailField()
    language = models.CharField(max_length=5, blank=True, default="")
    site_url = models.CharField(max_length=300, blank=True, default="")  # as the requesting browser knows it
    subject = models.CharField(max_length=300, blank=True, default="")
    body = models.TextField(blank=True, default="")
    made_at = models.DateTimeField(default=clock.now)
    due_at = models.DateTimeField(default=clock.now, db_index=True)
    attempts = models.PositiveSmallIntegerField(default=0)

    class Meta:
        ordering: ClassVar = ["due_at", "pk"]

    def __str__(self) -> str:
        return f"{self.kind} {self.pk}"
