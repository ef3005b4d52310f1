"""The devices that a user is notified on while no page of the site is open, and what was sent to each."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone as clock

from notifications.models.notifications import Notification


class PushDevice(models.Model):
    """A push subscription of one browser: where its push service takes messages, and the keys they are encrypted with.

    `endpoint` is a secret between the browser, its service and the site; `mark` is its SHA-256, by which it is found.
    `club_key` is the public key that the subscription is bound to. `name` is what the browser says of its machine,
    `language` that of the page on which the user asked, for users who have chosen none. `failing_since` is null while
    the service takes messages; after `failures` in a row nothing is sent before `rests_until`, so that a slow or broken
    service costs little.
    """

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="devices")
    endpoint = models.TextField(max_length=2000)
    mark = models.CharField(max_length=64, unique=True)
    receiver = models.CharField(max_length=90)
    auth = models.CharField(max_length=30)
    club_key = models.CharField(max_length=90)
    name = models.CharField(max_length=40, blank=True, default="")
    language = models.CharField(max_length=5, blank=True, default="")
    at = models.DateTimeField(default=clock.now)
    heard_at = models.DateTimeField(null=True, blank=True)
    failing_since = models.DateTimeField(null=True, blank=True)
    failures = models.PositiveSmallIntegerField(default=0)
    rests_until = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering: ClassVar = ["-at", "-pk"]

    def __str__(self) -> str:
        return f"{self.user_id} {self.name}"


class PushMessage(models.Model):
    """One notification on its way to one device; `said_at` is the moment of its state that it carries (`at`).

    `due_at` is when it is sent, or sent again: a worker that claims it moves it a little ahead, so that another
    one takes it if the first is lost. It is null when there is nothing more to do; `taken` says whether the device's
    service has it. After `until` it is of no use any more.
    """

    device = models.ForeignKey(PushDevice, on_delete=models.CASCADE, related_name="pushes")
    notice = models.ForeignKey(Notification, on_delete=models.CASCADE, related_name="pushes")
    said_at = models.DateTimeField()
    until = models.DateTimeField()
    due_at = models.DateTimeField(null=True, blank=True)
    taken = models.BooleanField(default=False)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["device", "notice"], name="push_once"),
            models.CheckConstraint(condition=Q(taken=False) | Q(due_at=None), name="push_taken_is_over"),
        ]

    def __str__(self) -> str:
        return f"{self.notice_id} to {self.device_id}"
