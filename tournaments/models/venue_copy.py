"""Copies of tournaments that are played at a venue without internet."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from tournaments.models.tournament import Tournament


class VenueCopy(models.Model):
    """A copy of a tournament that is played at a venue without internet (ruling E27), under one key on both sites.

    On the club's site it says what was taken out and what came back; on the venue's site (`here`) where it comes from.
    Event numbers count from 1: of the venue's events the first `venue_events` are on the club's site, whose events
    after `home_events` came later. `offsets` are pairs: from this number on, the venue's events are moved by so much.
    """

    class Status(models.TextChoices):
        OUT = "out", _("at the venue")
        BACK = "back", _("brought back")
        GIVEN_UP = "given_up", _("given up")

    id = models.CharField(primary_key=True, max_length=32)
    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="venue_copies")
    here = models.BooleanField(default=False)
    status = models.CharField(max_length=8, choices=Status.choices, default=Status.OUT)
    secret = models.TextField()  # encrypted; it signs the file of the results
    club = models.CharField(max_length=80, blank=True, default="")  # of the club's site, on the venue's
    by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    at = models.DateTimeField()
    entrants = models.PositiveIntegerField()  # how many both sites know
    venue_events = models.PositiveIntegerField()
    home_events = models.PositiveIntegerField()
    offsets = models.JSONField(default=list)
    digest = models.CharField(max_length=64)  # of the first `venue_events` events
    ratings = models.JSONField(default=dict)  # at the venue: the ratings of entrants at the club's site, by number

    class Meta:
        ordering: ClassVar = ["at", "pk"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["tournament"], condition=Q(here=True), name="venue_copy_once_here"),
            models.UniqueConstraint(
                fields=["tournament"], condition=Q(here=False, status="out"), name="venue_copy_once_out"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.tournament_id} {self.pk} {self.status}"
