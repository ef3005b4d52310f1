"""The log of events: what happened, in one order that never changes, as far as somebody listens."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models


class Clerk(models.Model):
    """One row: `number` is that of the last event in the log, `at` when the tables were last looked through.

    Who writes events holds this row. So they are numbered in the order in which they are committed, and whoever has
    read up to a number has missed none below it.
    """

    number = models.BigIntegerField(default=0)
    at = models.DateTimeField()

    def __str__(self) -> str:
        return str(self.number)


class Ear(models.Model):
    """Somebody listens to a topic since a moment, and until another: who comes by again puts that off.

    Nothing is written down of what nobody listens to.
    """

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="ears")
    topic = models.CharField(max_length=40)
    since = models.DateTimeField()
    until = models.DateTimeField()

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["user", "topic"], name="ear_once")]
        indexes: ClassVar = [models.Index(fields=["until"], name="ear_until")]

    def __str__(self) -> str:
        return f"{self.user_id} {self.topic}"


class Mark(models.Model):
    """How far the log has come with a match, a tournament or a ladder: its version, and its status or phase.

    The next look compares: what differs is told. So nothing is lost when a worker is away, and nothing is written in
    the transaction of a move.
    """

    subject = models.CharField(primary_key=True, max_length=40)
    version = models.PositiveIntegerField()
    status = models.CharField(max_length=12, blank=True, default="")
    at = models.DateTimeField()

    class Meta:
        indexes: ClassVar = [models.Index(fields=["at"], name="mark_at")]

    def __str__(self) -> str:
        return f"{self.subject} {self.version} {self.status}"


class Event(models.Model):
    """One thing that happened. `number` counts through the log; `key` says what it is, and stands there once.

    `data` are ids, numbers and words of the rules, never names: those are looked up when the event is told. `by` is
    the person who did it, where one matters.
    """

    number = models.BigIntegerField(primary_key=True)
    key = models.CharField(max_length=90, unique=True)
    kind = models.CharField(max_length=24)
    subject = models.CharField(max_length=40)
    at = models.DateTimeField()
    by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    data = models.JSONField(default=dict)

    class Meta:
        ordering: ClassVar = ["number"]
        indexes: ClassVar = [models.Index(fields=["at"], name="event_at")]

    def __str__(self) -> str:
        return f"{self.number} {self.kind} {self.subject}"


class Heard(models.Model):
    """Under which topics an event is heard. Whether a listener may is asked again when he hears it."""

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="heard")
    topic = models.CharField(max_length=40)

    class Meta:
        verbose_name_plural = "heard"
        constraints: ClassVar = [models.UniqueConstraint(fields=["topic", "event"], name="heard_once")]

    def __str__(self) -> str:
        return f"{self.topic} {self.event_id}"
