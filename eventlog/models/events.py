"""The event log: what happened, in one order that never changes, as far as somebody is subscribed."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models


class EventLog(models.Model):
    """One row: `number` is that of the last event in the log, `at` when the tables were last compared.

    The writer of events holds this row. So events are numbered in the order in which they are committed, and a reader
    up to a number has missed none below it.
    """

    number = models.BigIntegerField(default=0)
    at = models.DateTimeField()

    def __str__(self) -> str:
        return str(self.number)


class Subscription(models.Model):
    """A user's subscription to a topic, since a moment and until another, which each visit extends.

    Events without a subscription are not recorded.
    """

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="subscriptions")
    topic = models.CharField(max_length=40)
    since = models.DateTimeField()
    until = models.DateTimeField()

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["user", "topic"], name="subscription_once")]
        indexes: ClassVar = [models.Index(fields=["until"], name="subscription_until")]

    def __str__(self) -> str:
        return f"{self.user_id} {self.topic}"


class Checkpoint(models.Model):
    """How far the log has recorded a match, a tournament or a ladder: its version, and its status or phase.

    The next comparison records what differs. So nothing is lost when a worker is away, and nothing is written in the
    transaction of a move.
    """

    subject = models.CharField(primary_key=True, max_length=40)
    version = models.PositiveIntegerField()
    status = models.CharField(max_length=12, blank=True, default="")
    at = models.DateTimeField()

    class Meta:
        indexes: ClassVar = [models.Index(fields=["at"], name="checkpoint_at")]

    def __str__(self) -> str:
        return f"{self.subject} {self.version} {self.status}"


class Event(models.Model):
    """One event. `number` counts through the log; `key` identifies the event and is unique.

    `data` are ids, numbers and terms of the rules, never names: those are looked up when the event is read. `by` is
    the user who caused it, where that matters.
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


class Topic(models.Model):
    """A topic under which an event is published. A reader's permission is checked again when they read it."""

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="topics")
    topic = models.CharField(max_length=40)

    class Meta:
        verbose_name_plural = "topics"
        constraints: ClassVar = [models.UniqueConstraint(fields=["topic", "event"], name="topic_once")]

    def __str__(self) -> str:
        return f"{self.topic} {self.event_id}"
