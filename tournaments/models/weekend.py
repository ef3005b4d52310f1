"""A weekend: tournaments of a club that are played together, and what is recorded about them.

A tournament knows its weekend (`Tournament.weekend`). People, boards, fees and prizes are those of the tournaments; a
weekend has rows of its own only for what belongs to no single tournament.
"""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from accounts.models import Club
from games.models import new_match_id


class Weekend(models.Model):
    """Several tournaments of a club from `first` to `last`, in the time zone of the club."""

    id = models.CharField(primary_key=True, max_length=16, default=new_match_id, editable=False)
    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="weekends")
    name = models.CharField(_("name"), max_length=80)
    about = models.TextField(_("description"), max_length=2000, blank=True, default="")
    place = models.CharField(_("place"), max_length=200, blank=True, default="")
    first = models.DateField()
    last = models.DateField()
    published = models.BooleanField(default=False)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="weekends_made")
    created_at = models.DateTimeField()

    class Meta:
        ordering: ClassVar = ["-first", "-created_at"]
        constraints: ClassVar = [
            models.CheckConstraint(condition=Q(last__gte=models.F("first")), name="weekend_days"),
        ]

    def __str__(self) -> str:
        return self.name


class WeekendRecord(models.Model):
    """A record of a weekend: a side pool, a lot of an auction, or a consolation share (tournaments.weekend_records).

    Rows are appended and never changed. `ref` is the `n` of the first row about the same thing: the last of them
    counts, and those before it say what was recorded earlier.
    """

    class Kind(models.TextChoices):
        POOL = "pool", _("Side pool")
        LOT = "lot", _("Calcutta lot")
        CONSOLATION = "consolation", _("Consolation share")

    weekend = models.ForeignKey(Weekend, on_delete=models.CASCADE, related_name="records")
    n = models.PositiveIntegerField()
    ref = models.PositiveIntegerField()
    kind = models.CharField(max_length=12, choices=Kind.choices)
    data = models.JSONField(default=dict)
    removed = models.BooleanField(default=False)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    at = models.DateTimeField()

    class Meta:
        ordering: ClassVar = ["n"]
        constraints: ClassVar = [models.UniqueConstraint(fields=["weekend", "n"], name="weekend_record_once")]

    def __str__(self) -> str:
        return f"{self.weekend_id} {self.n} {self.kind}"
