"""Reports, the cases that they make, and what the moderators did."""

from __future__ import annotations

from datetime import datetime
from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from chat.models.messages import Message
from games.models import Match

User = settings.AUTH_USER_MODEL


class Case(models.Model):
    """A moderation case: what was reported about one person, or about a match; one open case for each.

    `about` is null for a case about a match; `match` is where it happened, null for a report about a person in general.
    """

    class Outcome(models.TextChoices):
        DISMISSED = "dismissed", _("no action taken")
        ACTED = "acted", _("action taken")

    about = models.ForeignKey(User, null=True, blank=True, on_delete=models.SET_NULL, related_name="cases_about")
    match = models.ForeignKey(Match, null=True, blank=True, on_delete=models.SET_NULL, related_name="cases")
    opened_at = models.DateTimeField()
    closed_at = models.DateTimeField(null=True, blank=True)
    outcome = models.CharField(max_length=10, choices=Outcome.choices, blank=True, default="")

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["about", "match"],
                condition=Q(closed_at=None, about__isnull=False, match__isnull=False),
                name="case_open_person_match",
            ),
            models.UniqueConstraint(
                fields=["about"],
                condition=Q(closed_at=None, about__isnull=False, match=None),
                name="case_open_person",
            ),
            models.UniqueConstraint(
                fields=["match"],
                condition=Q(closed_at=None, about=None, match__isnull=False),
                name="case_open_match",
            ),
        ]
        indexes: ClassVar = [
            models.Index(fields=["opened_at"], name="case_queue", condition=Q(closed_at=None)),
            models.Index(fields=["-closed_at"], name="case_closed", condition=Q(closed_at__isnull=False)),
        ]

    def __str__(self) -> str:
        return f"case {self.pk}"


class Report(models.Model):
    """What one person reported; `message` is the message that they pointed at."""

    class Reason(models.TextChoices):
        RUDE = "rude", _("Rude or insulting")
        THREAT = "threat", _("Threats or harassment")
        ADVICE = "advice", _("Help from a program or another person")
        CHEATING = "cheating", _("Cheating or losing on purpose")
        SPAM = "spam", _("Advertising or spam")
        NAME = "name", _("Inappropriate username")
        OTHER = "other", _("Something else")

    case = models.ForeignKey(Case, on_delete=models.CASCADE, related_name="reports")
    by = models.ForeignKey(User, null=True, on_delete=models.SET_NULL, related_name="reports_made")
    message = models.ForeignKey(Message, null=True, blank=True, on_delete=models.SET_NULL, related_name="reports")
    reason = models.CharField(max_length=10, choices=Reason.choices)
    words = models.TextField(max_length=1000, blank=True, default="")
    at = models.DateTimeField()

    class Meta:
        indexes: ClassVar = [models.Index(fields=["by", "-at"], name="report_by")]

    def __str__(self) -> str:
        return f"report {self.pk} in case {self.case_id}"


class Sanction(models.Model):
    """A sanction: a warning that the person has to read, a mute until a moment, or a closed account.

    `until` null is permanent; `ended_at` is when a moderator lifted it.
    """

    class Kind(models.TextChoices):
        WARNING = "warning", _("warning")
        SILENCE = "silence", _("mute")
        CLOSED = "closed", _("account closed")

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="sanctions")
    kind = models.CharField(max_length=8, choices=Kind.choices)
    words = models.TextField(max_length=1000, blank=True, default="")
    since = models.DateTimeField()
    until = models.DateTimeField(null=True, blank=True)
    ended_at = models.DateTimeField(null=True, blank=True)
    read_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        indexes: ClassVar = [models.Index(fields=["user", "kind"], name="sanction_user")]

    def __str__(self) -> str:
        return f"{self.user_id} {self.kind}"

    def holds(self, moment: datetime) -> bool:
        """Whether it is still to be borne at `moment`."""
        return self.ended_at is None and (self.until is None or moment < self.until)


class CaseEvent(models.Model):
    """One act of a moderator, with its reason. Append-only."""

    class Act(models.TextChoices):
        DISMISS = "dismiss", _("dismissed the case")
        REMOVE = "remove", _("removed a message")
        WARN = "warn", _("sent a warning")
        SILENCE = "silence", _("muted the person")
        LIFT = "lift", _("unmuted the person")
        CLOSE = "close", _("closed the account")
        REOPEN = "reopen", _("reopened the account")

    case = models.ForeignKey(Case, on_delete=models.CASCADE, related_name="events")
    by = models.ForeignKey(User, null=True, on_delete=models.SET_NULL, related_name="+")
    about = models.ForeignKey(User, null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    act = models.CharField(max_length=8, choices=Act.choices)
    why = models.TextField(max_length=1000)
    message = models.ForeignKey(Message, null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    sanction = models.ForeignKey(Sanction, null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    at = models.DateTimeField()

    class Meta:
        ordering: ClassVar = ["at", "pk"]

    def __str__(self) -> str:
        return f"{self.case_id} {self.act}"
