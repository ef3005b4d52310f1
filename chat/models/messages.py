"""Chat messages and chat preferences."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from chat.rooms import Room
from games.models import Match


class Message(models.Model):
    """One message in a room of a match: a text, or the key of a quick phrase.

    A message that a moderator removed stays in the table, for moderators only. `by` is null when its author's account
    was deleted.
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


class ChatPreferences(models.Model):
    """A user's chat preferences. A user without a row has the defaults."""

    class Level(models.TextChoices):
        ALL = "all", _("Full chat")
        PHRASES = "phrases", _("Quick phrases only")
        NOBODY = "nobody", _("No chat")

    user = models.OneToOneField(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="talk_wishes")
    level = models.CharField(_("chat"), max_length=8, choices=Level.choices, default=Level.ALL)
    hide_watchers = models.BooleanField(_("hide the spectator chat of my matches"), default=False)
    announce = models.BooleanField(_("read new messages aloud (screen reader)"), default=True)

    def __str__(self) -> str:
        return f"{self.user_id} {self.level}"
