"""Where people are logged in, and the mail of their doors that waits to go out."""

from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.utils import timezone as clock

from accounts.models.people import User


class LogIn(models.Model):
    """One log-in of a member: what he sees in the list of his sessions.

    The browser and the system are words of our own (accounts.log_ins), never what the browser said of itself, and no
    address is kept. A row whose session is gone means nothing, and goes when the list is next read.
    """

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="log_ins")
    session_key = models.CharField(max_length=40, unique=True)
    browser = models.CharField(max_length=20, blank=True, default="")
    system = models.CharField(max_length=20, blank=True, default="")
    made_at = models.DateTimeField(default=clock.now)
    seen_at = models.DateTimeField(default=clock.now)

    def __str__(self) -> str:
        return f"{self.user_id}: {self.browser} {self.system}"


class Letter(models.Model):
    """A mail of the doors that waits to be sent: a reset that was asked for, a confirmation, a warning.

    Who asks for a reset is answered before anybody looks whether the address is known: `kind` says what the worker
    looks up and writes then. It goes when it is sent, or when it is too old to mean anything.
    """

    class Kind(models.TextChoices):
        RESET = "reset"  # who has this address may choose a new password: looked up when it is sent
        WRITTEN = "written"

    kind = models.CharField(max_length=10, choices=Kind.choices, default=Kind.WRITTEN)
    address = models.EmailField()
    language = models.CharField(max_length=5, blank=True, default="")
    base = models.CharField(max_length=300, blank=True, default="")  # the site's address as the asker knows it
    subject = models.CharField(max_length=300, blank=True, default="")
    body = models.TextField(blank=True, default="")
    made_at = models.DateTimeField(default=clock.now)
    due_at = models.DateTimeField(default=clock.now, db_index=True)
    tries = models.PositiveSmallIntegerField(default=0)

    class Meta:
        ordering: ClassVar = ["due_at", "pk"]

    def __str__(self) -> str:
        return f"{self.kind} {self.pk}"
