"""What is said at the matches, and how a person wants to be talked to."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from games.models import Match
from talk.rooms import Room


class Message(models.Model):
    """One thing said in a room of a match: words, or the key of a ready phrase.

    A moderator's removal leaves it in the table, for the moderators alone. `by` is null when its author is gone.
    """

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="messages")
    room = models.CharField(max_length=8, choices=[(room.value, room.value) for room in Room])
    by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="messages")
    client_id = models.CharField(max_length=40)
    text = models.CharField(max_length=300, blank=True, default="")
    phrase = models.CharField(max_length=16, blank=True, default="")
    at = models.DateTimeField()
    removed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["match", "by", "client_id"], name="message_once"),
        ]
        indexes: ClassVar = [
            models.Index(fields=["match", "room", "id"], name="message_room"),
            models.Index(fields=["match", "id"], name="message_removed", condition=Q(removed_at__isnull=False)),
        ]

    def __str__(self) -> str:
        return f"{self.match_id} {self.room} {self.pk}"


class Wishes(models.Model):
    """How a person wants to be talked to. Who has no row has the usual wishes."""

    class Level(models.TextChoices):
        ALL = "all", _("Anybody may write to me")
        PHRASES = "phrases", _("Ready phrases only")
        NOBODY = "nobody", _("No talk")

    user = models.OneToOneField(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="talk_wishes")
    level = models.CharField(_("talk"), max_length=8, choices=Level.choices, default=Level.ALL)
    hide_watchers = models.BooleanField(_("hide what was said among those who watched my matches"), default=False)
    announce = models.BooleanField(_("have new messages read out by a screen reader"), default=True)

    def __str__(self) -> str:
        return f"{self.user_id} {self.level}"
