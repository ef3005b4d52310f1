"""Write, read and expire notifications. Each step may run twice and has its effect once."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta

from django.conf import settings
from django.db.models import QuerySet

from accounts.models import User
from games.database import now
from notifications import notify
from notifications.build import Draft
from notifications.hours import mail_at, push_at
from notifications.kinds import KINDS, MAIL, PAGE, PUSH, Kind, is_wanted
from notifications.models import Notification, NotificationPreferences
from notifications.services.preferences import preferences_of, schedule_of

REPEAT_WINDOW = timedelta(minutes=10)
"""A message that is repeated within this time is the same message."""
KEPT = timedelta(days=90)
MOST_AT_ONCE = 500
UPDATED_FIELDS = ("mark", "data", "url", "at", "until", "read_at", "shown", "mail_due_at", "mail_tries", "push_due_at")


def notification_write(*, user_id: int, draft: Draft) -> Notification | None:
    """Notify a user; a newer message about the same thing replaces the older one.

    None for bots, for closed accounts and for users whom no channel reaches. Written in the caller's transaction.
    """
    reader = (
        User.objects.filter(pk=user_id, is_active=True, is_bot=False).select_related("notification_preferences").first()
    )
    if reader is None:
        return None
    moment = now()
    about = {"user": reader, "kind": draft.kind, "key": draft.key}
    if Notification.objects.filter(**about, mark=draft.mark, at__gt=moment - REPEAT_WINDOW).exists():
        return None
    preferences, kind = preferences_of(reader), KINDS[draft.kind]
    until = draft.until or (moment + draft.lasts if draft.lasts else None)
    due = due_at(reader, preferences, kind, moment, until=until)
    shown = is_wanted(preferences.channels, kind, PAGE)
    if not shown and not any(due.values()):
        return None
    notification = Notification(
        **about, mark=draft.mark, data=draft.data, url=draft.url, at=moment, until=until, shown=shown, **due
    )
    # One statement: of two messages at the same moment the later one stands, and neither fails.
    Notification.objects.bulk_create(
        [notification], update_conflicts=True, unique_fields=[*about], update_fields=[*UPDATED_FIELDS]
    )
    notify.send_bell(user_id, draft.url)
    return notification


def due_at(
    reader: User, preferences: NotificationPreferences, kind: Kind, moment: datetime, *, until: datetime | None = None
) -> dict[str, datetime | None]:
    """Return when a notification is sent by mail and by push, by its reader's settings; guests have the page only.

    A little later than possible: a reader who is on the site reads it there, and it is not sent at all.
    """
    if reader.is_guest:
        return {"mail_due_at": None, "push_due_at": None}
    schedule = schedule_of(preferences)
    mail = settings.HAS_MAIL and is_wanted(preferences.channels, kind, MAIL)
    first = moment + timedelta(seconds=settings.NOTICE_MAIL_AFTER)
    pushed = moment + timedelta(seconds=settings.NOTICE_PUSH_AFTER)
    return {
        "mail_due_at": mail_at(schedule, first, waits=kind.waits, until=until) if mail else None,
        "push_due_at": push_at(schedule, pushed, until=until) if is_wanted(preferences.channels, kind, PUSH) else None,
    }


def notification_settle(*, kinds: Iterable[str], key: str, user_id: int | None = None) -> int:
    """Expire notifications that are no longer true, of one reader or (None) of all; return how many."""
    found = Notification.objects.filter(kind__in=list(kinds), key=key, read_at=None)
    return settle(found if user_id is None else found.filter(user=user_id))


def notification_read(*, user_id: int, notification_id: int) -> Notification | None:
    """Mark a notification as read by its owner; None if it is somebody else's."""
    notification = Notification.objects.filter(pk=notification_id, user=user_id).first()
    if notification is not None:
        settle(Notification.objects.filter(pk=notification.pk, read_at=None))
    return notification


def notifications_read(*, user_id: int, url: str | None = None) -> int:
    """Mark all notifications of a user as read, or those that lead to a page (`url`); return how many."""
    unread = Notification.objects.filter(user=user_id, read_at=None)
    return settle(unread.filter(shown=True) if url is None else unread.filter(url=url))


def notifications_purge() -> int:
    """Delete what is older than three months."""
    return Notification.objects.filter(at__lt=now() - KEPT).delete()[0]


def settle(found: QuerySet[Notification]) -> int:
    """Mark as read, and let it neither be mailed nor pushed any more; the bells of its readers count anew."""
    rows = list(found.values_list("pk", "user_id")[:MOST_AT_ONCE])
    if not rows:
        return 0
    unread = Notification.objects.filter(read_at=None, pk__in=[pk for pk, _user in rows])
    read = unread.update(read_at=now(), mail_due_at=None, push_due_at=None)
    for user_id in {user for _pk, user in rows}:
        notify.send_bell(user_id)
    return read
