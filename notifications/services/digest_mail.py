"""Notifications by mail: all that is due for a user goes out in one digest.

A due row is claimed: its moment is moved ahead by `LEASE`, and the worker that moved it sends it. After sending it
is marked; if a worker dies in between, the claim expires and the digest is sent once more: at most one mail too many,
never one too few. A server that does not answer is retried after growing delays, and meanwhile nobody waits for it; a
user whose mail alone is refused holds up nobody else.
"""

from __future__ import annotations

import logging
import smtplib
import time
from collections.abc import Sequence
from datetime import datetime, timedelta

from django.core.mail import get_connection
from django.core.mail.backends.base import BaseEmailBackend
from django.db.models import Min

from accounts.models import User
from games.database import now
from notifications.hours import after_quiet_hours
from notifications.kinds import KINDS, MAIL, is_wanted
from notifications.models import Notification, NotificationPreferences
from notifications.services import digests
from notifications.services.preferences import preferences_of, schedule_of, unsubscribe_key_of
from notifications.unsubscribe import mail_address_of

log = logging.getLogger(__name__)

LEASE = timedelta(minutes=5)
PAUSES = tuple(timedelta(minutes=minutes) for minutes in (2, 10, 30, 120, 360))
"""After the first failure, the second ...; the last one again and again, until what the mail is about is over."""
MOST_READERS = 50
LONGEST = 5.0  # seconds that one sweep sends; the next one goes on
SERVER_AWAY = (
    smtplib.SMTPServerDisconnected,
    smtplib.SMTPConnectError,
    smtplib.SMTPHeloError,
    smtplib.SMTPAuthenticationError,
)


def digests_send() -> int:
    """Send the digests that are due; how many went out."""
    moment, started = now(), time.monotonic()
    due = Notification.objects.filter(mail_due_at__lte=moment).values("user").annotate(first=Min("mail_due_at"))
    readers = list(due.order_by("first", "user").values_list("user", flat=True)[:MOST_READERS])
    if not readers:
        return 0
    connection: BaseEmailBackend = get_connection()
    sent = 0
    try:
        connection.open()
        for user_id in readers:
            sent += digest_send(user_id=user_id, connection=connection)
            if time.monotonic() - started > LONGEST:
                break
    except OSError as error:
        if not _away(error):
            raise
        log.warning("mail server: %s", error)
        _rest()
    finally:
        connection.close()
    return sent


def digest_send(*, user_id: int, connection: BaseEmailBackend) -> bool:
    """Mail a user what is due; whether a mail was sent. Raises errors that mean that the mail server is away."""
    lease = now() + LEASE
    if not Notification.objects.filter(user=user_id, mail_due_at__lte=lease - LEASE).update(mail_due_at=lease):
        return False  # another worker was first
    claimed = Notification.objects.filter(user=user_id, mail_due_at=lease)
    reader = User.objects.select_related("notification_preferences").get(pk=user_id)
    address = mail_address_of(reader)
    if address is None:
        claimed.update(mail_due_at=None)
        return False
    notifications = _still_wanted(list(claimed.order_by("at", "pk")), preferences_of(reader), lease)
    if not notifications:
        return False
    leased = Notification.objects.filter(pk__in=[notification.pk for notification in notifications], mail_due_at=lease)
    try:
        mail = digests.build_digest(
            reader,
            address,
            notifications,
            unsubscribe_key=unsubscribe_key_of(reader),
            preferences=preferences_of(reader),
        )
        connection.send_messages([mail])
    except Exception as error:
        _reschedule(notifications, lease)
        if _away(error):
            raise
        log.exception("digest of user %s", user_id)
        return False
    leased.update(mailed_at=now(), mail_due_at=None, mail_tries=0)
    return True


def _away(error: Exception) -> bool:
    """Whether the server is not there, rather than not liking one mail (whose errors are OSErrors, too)."""
    return isinstance(error, SERVER_AWAY) or (
        isinstance(error, OSError) and not isinstance(error, smtplib.SMTPException)
    )


def _still_wanted(
    notifications: Sequence[Notification], preferences: NotificationPreferences, lease: datetime
) -> list[Notification]:
    """Return the claimed notifications that are wanted by mail now; others are dropped or wait."""
    moment, schedule, wanted = lease - LEASE, schedule_of(preferences), []
    for notification in notifications:
        kind = KINDS.get(notification.kind)
        late = notification.until is not None and notification.until <= moment
        if (
            kind is None
            or late
            or preferences.digest == NotificationPreferences.Digest.NEVER
            or not is_wanted(preferences.channels, kind, MAIL)
        ):
            _move(notification, lease, None)
        elif (due := after_quiet_hours(schedule.quiet, moment, moment, until=notification.until)) > moment:
            _move(notification, lease, due)
        else:
            wanted.append(notification)
    return wanted


def _reschedule(notifications: Sequence[Notification], lease: datetime) -> None:
    for notification in notifications:
        pause = PAUSES[min(notification.mail_tries, len(PAUSES) - 1)]
        leased = Notification.objects.filter(pk=notification.pk, mail_due_at=lease)
        leased.update(mail_due_at=lease - LEASE + pause, mail_tries=notification.mail_tries + 1)


def _move(notification: Notification, lease: datetime, due: datetime | None) -> None:
    """Change the due moment of a claimed notification, unless a newer message replaced it meanwhile."""
    Notification.objects.filter(pk=notification.pk, mail_due_at=lease).update(mail_due_at=due)


def _rest() -> None:
    """The server is away: all that is due waits for it, each as long as it has failed before."""
    moment, last = now(), len(PAUSES) - 1
    for tries in range(last, -1, -1):
        due = Notification.objects.filter(mail_due_at__lte=moment)
        due = due.filter(mail_tries__gte=last) if tries == last else due.filter(mail_tries=tries)
        due.update(mail_due_at=moment + PAUSES[tries], mail_tries=min(tries + 1, last))
