"""Tables of recurring events: templates, how often they repeat, and their occurrences."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from accounts.models import Club
from tournaments.models.tournament import Tournament


class EventTemplate(models.Model):
    """A template of a club: the terms and facts of a tournament without its date."""

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="event_templates")
    name = models.CharField(_("name"), max_length=80)
    terms = models.JSONField()  # tournaments.terms.Terms
    facts = models.JSONField(default=dict)  # more arguments of `tournament_create`, see services.recurring.FACTS
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    made_at = models.DateTimeField()

    class Meta:
        ordering: ClassVar = ["name", "pk"]
        constraints: ClassVar = [models.UniqueConstraint(fields=["club", "name"], name="event_template_once")]

    def __str__(self) -> str:
        return self.name

    @property
    def key(self) -> str:
        """Its key among the choices of a new tournament, beside those of the presets."""
        return f"template-{self.pk}"


class RecurringEvent(models.Model):
    """A recurring event: a template whose tournaments open by themselves on the dates of a recurrence.

    `recurrence` is what tournaments.recurrence.Recurrence reads; dates and `hour` are in the club's time zone. `due_at`
    is when the next tournament is to be opened: null where the event is paused, stopped or at its end.
    """

    class Status(models.TextChoices):
        ON = "on", _("active")
        PAUSED = "paused", _("paused")
        STOPPED = "stopped", _("stopped")

    template = models.ForeignKey(EventTemplate, on_delete=models.PROTECT, related_name="recurring_events")
    name = models.CharField(_("name"), max_length=80)  # {date} and {number} are filled in
    recurrence = models.JSONField()
    hour = models.TimeField()
    opens_days = models.PositiveSmallIntegerField(default=6)
    status = models.CharField(max_length=8, choices=Status.choices, default=Status.ON)
    made_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    made_at = models.DateTimeField()
    due_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering: ClassVar = ["pk"]
        indexes: ClassVar = [
            models.Index(fields=["due_at"], name="recurring_event_due_at", condition=Q(due_at__isnull=False))
        ]

    def __str__(self) -> str:
        return self.name


class Occurrence(models.Model):
    """A date of a recurring event that was handled: its tournament, or the `reason` why there is none."""

    recurring_event = models.ForeignKey(RecurringEvent, on_delete=models.CASCADE, related_name="occurrences")
    date = models.DateField()
    tournament = models.OneToOneField(
        Tournament, null=True, blank=True, on_delete=models.SET_NULL, related_name="occurrence"
    )
    reason = models.CharField(max_length=40, blank=True, default="")  # `skipped`, or the code of a refusal

    class Meta:
        ordering: ClassVar = ["date"]
        constraints: ClassVar = [models.UniqueConstraint(fields=["recurring_event", "date"], name="occurrence_once")]

    def __str__(self) -> str:
        return f"{self.recurring_event_id} {self.date}"
