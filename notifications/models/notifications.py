"""Notifications, and each user's notification settings."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone as clock
from django.utils.translation import gettext_lazy as _


class Notification(models.Model):
    """One notification of one user: of one kind (`notifications.kinds`), about one thing (`key`), in its newest state.

    A newer message about the same thing replaces the older one, so a match has one "your move" however long it lasts.
    `mark` tells two messages about the same thing apart: one that is repeated within minutes counts once. `data` are
    the names that its sentence needs, `url` the path where it leads. It is unread while `read_at` is null; one that is
    no longer true counts as read, too. One that is not `shown` goes by mail or push only. `until` is when it becomes
    pointless: the deadline of the turn that it is about.

    `mail_due_at` and `push_due_at` are when a sweep sends it on that channel, null when it does not (any more);
    `mail_tries` counts the mails that could not be sent.
    """

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="notices")
    kind = models.CharField(max_length=20)
    key = models.CharField(max_length=120)
    mark = models.CharField(max_length=40, blank=True, default="")
    data = models.JSONField(default=dict)
    url = models.CharField(max_length=200)
    at = models.DateTimeField()
    until = models.DateTimeField(null=True, blank=True)
    read_at = models.DateTimeField(null=True, blank=True)
    shown = models.BooleanField(default=True)

    mail_due_at = models.DateTimeField(null=True, blank=True)
    mailed_at = models.DateTimeField(null=True, blank=True)
    mail_tries = models.PositiveSmallIntegerField(default=0)
    push_due_at = models.DateTimeField(null=True, blank=True)
    pushed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering: ClassVar = ["-at", "-pk"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["user", "kind", "key"], name="notice_once"),
            models.CheckConstraint(
                condition=Q(url__startswith="/") & ~Q(url__startswith="//"), name="notice_url_is_a_path"
            ),
        ]
        indexes: ClassVar = [
            models.Index(fields=["user", "-at", "-id"], name="notice_list"),
            models.Index(fields=["user", "url"], name="notice_unread", condition=Q(read_at__isnull=True)),
            models.Index(fields=["kind", "key"], name="notice_about", condition=Q(read_at__isnull=True)),
            models.Index(fields=["mail_due_at"], name="notice_mail_due", condition=Q(mail_due_at__isnull=False)),
            models.Index(fields=["push_due_at"], name="notice_push_due", condition=Q(push_due_at__isnull=False)),
        ]

    def __str__(self) -> str:
        return f"{self.user_id} {self.kind} {self.key}"


class NotificationPreferences(models.Model):
    """A user's notification settings; without a row the defaults here and in `notifications.kinds` hold.

    `channels` holds only what differs from the kinds' own defaults: ``{"talk": {"mail": true}}``. Between `quiet_from`
    and `quiet_to`, in the user's `timezone` ("": the site's), neither mail nor push is sent. `door` is the secret of
    the unsubscribe links in the user's mail.
    """

    class Digest(models.TextChoices):
        ONCE = "once", _("Immediately")
        HOURLY = "hourly", _("Every hour")
        DAILY = "daily", _("Once a day")
        NEVER = "never", _("Never")

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="notification_preferences"
    )
    channels = models.JSONField(default=dict, blank=True)
    digest = models.CharField(max_length=6, choices=Digest.choices, default=Digest.HOURLY)
    hour = models.PositiveSmallIntegerField(default=9)
    quiet_from = models.TimeField(null=True, blank=True)
    quiet_to = models.TimeField(null=True, blank=True)
    timezone = models.CharField(max_length=64, blank=True, default="")
    door = models.CharField(max_length=32, unique=True, null=True, blank=True, editable=False)
    changed_at = models.DateTimeField(default=clock.now)

    class Meta:
        verbose_name_plural = "notification preferences"
        constraints: ClassVar = [
            models.CheckConstraint(condition=Q(hour__lte=23), name="notification_preferences_hour"),
            models.CheckConstraint(
                condition=Q(quiet_from=None, quiet_to=None) | Q(quiet_from__isnull=False, quiet_to__isnull=False),
                name="notification_preferences_quiet",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.user_id} {self.digest}"
