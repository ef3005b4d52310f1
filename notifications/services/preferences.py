"""Notification settings: the only writer."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from datetime import time
from zoneinfo import ZoneInfo, available_timezones

from django.conf import settings
from django.db import transaction
from django.db.models import Q

from accounts.models import User
from games.database import now
from notifications.errors import Refused
from notifications.hours import QuietHours, Schedule, mail_at, push_at
from notifications.kinds import CHANNELS, KINDS, MAIL, PUSH, is_wanted
from notifications.models import Notification, NotificationPreferences

Channels = Mapping[str, Mapping[str, bool]]
LAST_HOUR = 23


def preferences_of(reader: User) -> NotificationPreferences:
    """Return a user's notification settings, or the defaults (not saved)."""
    try:
        found: NotificationPreferences = reader.notification_preferences
    except NotificationPreferences.DoesNotExist:
        return NotificationPreferences(user=reader)
    return found


def time_zone_of(preferences: NotificationPreferences) -> ZoneInfo:
    """The time zone of a person, or the site's."""
    return ZoneInfo(preferences.timezone or settings.TIME_ZONE)


def schedule_of(preferences: NotificationPreferences) -> Schedule:
    """Return a user's schedule for `notifications.hours`."""
    zone = time_zone_of(preferences)
    start, end = preferences.quiet_from, preferences.quiet_to
    quiet = QuietHours(start, end, zone) if start is not None and end is not None else None
    return Schedule(preferences.digest, preferences.hour, zone, quiet)


def preferences_save(
    *,
    user: User,
    channels: Channels,
    digest: str,
    hour: int,
    quiet_from: time | None,
    quiet_to: time | None,
    timezone: str,
) -> NotificationPreferences:
    """Save all notification settings of a user, and reschedule what waits to be sent.

    Raises Refused: notice_member (a guest has the page only), notice_digest, notice_quiet, notice_zone.
    """
    if user.is_guest or user.is_bot:
        raise Refused("notice_member")
    if digest not in NotificationPreferences.Digest.values or not 0 <= hour <= LAST_HOUR:
        raise Refused("notice_digest")
    if (quiet_from is None) != (quiet_to is None):
        raise Refused("notice_quiet")
    if timezone and timezone not in available_timezones():
        raise Refused("notice_zone")
    facts = {"digest": digest, "hour": hour, "quiet_from": quiet_from, "quiet_to": quiet_to, "timezone": timezone}
    with transaction.atomic():
        preferences, _made = NotificationPreferences.objects.update_or_create(
            user=user, defaults={**facts, "channels": _unusual(channels), "changed_at": now()}
        )
        _reschedule(preferences)
    return preferences


def mail_unsubscribe(*, preferences: NotificationPreferences, kind: str | None) -> None:
    """No mail of this kind any more, or (None) none at all; what waits does not leave either."""
    with transaction.atomic():
        preferences = NotificationPreferences.objects.select_for_update().get(pk=preferences.pk)
        waiting = Notification.objects.filter(user=preferences.user_id, mail_due_at__isnull=False)
        if kind is None:
            preferences.digest = NotificationPreferences.Digest.NEVER
        else:
            preferences.channels = {**preferences.channels, kind: {**preferences.channels.get(kind, {}), MAIL: False}}
            waiting = waiting.filter(kind=kind)
        preferences.changed_at = now()
        preferences.save(update_fields=["digest", "channels", "changed_at"])
        waiting.update(mail_due_at=None)


def unsubscribe_key_of(reader: User) -> str:
    """Return the secret of a user's unsubscribe links, created once."""
    preferences, _made = NotificationPreferences.objects.get_or_create(user=reader)
    if not preferences.door:
        NotificationPreferences.objects.filter(pk=preferences.pk, door=None).update(door=secrets.token_urlsafe(18))
        preferences.refresh_from_db(fields=["door"])
    return str(preferences.door)


def _unusual(channels: Channels) -> dict[str, dict[str, bool]]:
    """Return what differs from the defaults, so that a default can change for all who never chose."""
    unusual: dict[str, dict[str, bool]] = {}
    for key, kind in KINDS.items():
        for channel in CHANNELS:
            chosen = channels.get(key, {}).get(channel, kind.uses_by_default(channel))
            if chosen != kind.uses_by_default(channel):
                unusual.setdefault(key, {})[channel] = chosen
    return unusual


def _reschedule(preferences: NotificationPreferences) -> None:
    """Reschedule the waiting notifications."""
    schedule, moment = schedule_of(preferences), now()
    waiting = Notification.objects.filter(user=preferences.user_id).exclude(Q(mail_due_at=None), Q(push_due_at=None))
    for notification in waiting:
        kind = KINDS[notification.kind]
        if notification.mail_due_at is not None:
            mailed = mail_at(schedule, moment, waits=kind.waits, until=notification.until)
            notification.mail_due_at = mailed if is_wanted(preferences.channels, kind, MAIL) else None
        if notification.push_due_at is not None:
            pushed = is_wanted(preferences.channels, kind, PUSH)
            notification.push_due_at = push_at(schedule, moment, until=notification.until) if pushed else None
        notification.save(update_fields=["mail_due_at", "push_due_at"])
