"""Notices by mail: what is due for a person goes out in one digest.

A row that is due is claimed: its moment is moved ahead by `LEASE`, and who moved it sends it. When it is sent it is
marked; where a worker dies between the two, the lease runs out and the digest is sent once more: at most one mail too
many, and never one too few. A server that does not answer is asked again after growing pauses, and meanwhile nobody
waits for it; a person whose mail alone is refused holds up nobody else.
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
from notices.doors import address_of
from notices.hours import loud
from notices.kinds import KINDS, MAIL, wanted
from notices.models import Notice, Wishes
from notices.services import letters
from notices.services.wishes import door_of, habit_of, wishes_of

log = logging.getLogger(__name__)

LEASE = timedelta(minutes=5)
PAUSES = tuple(timedelta(minutes=minutes) for minutes in (2, 10, 30, 120, 360))
"""After the first failure, the second ...; the last one again and again, until what the mail is about is over."""
MOST_READERS = 50
LONGEST = 5.0  # seconds that one sweep sends; the next one goes on
GONE = (
    smtplib.SMTPServerDisconnected,
    smtplib.SMTPConnectError,
    smtplib.SMTPHeloError,
    smtplib.SMTPAuthenticationError,
)


def mails_send() -> int:
    """Send the digests that are due; how many went out."""
    moment, begun = now(), time.monotonic()
    due = Notice.objects.filter(mail_due_at__lte=moment).values("user").annotate(first=Min("mail_due_at"))
    readers = list(due.order_by("first", "user").values_list("user", flat=True)[:MOST_READERS])
    if not readers:
        return 0
    connection: BaseEmailBackend = get_connection()
    sent = 0
    try:
        connection.open()
        for user_id in readers:
            sent += digest_send(user_id=user_id, connection=connection)
            if time.monotonic() - begun > LONGEST:
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
    """Send a person what is due for him; whether a mail went out. Raises what says that the server is away."""
    lease = now() + LEASE
    if not Notice.objects.filter(user=user_id, mail_due_at__lte=lease - LEASE).update(mail_due_at=lease):
        return False  # another worker was first
    claimed = Notice.objects.filter(user=user_id, mail_due_at=lease)
    reader = User.objects.select_related("notice_wishes").get(pk=user_id)
    address = address_of(reader)
    if address is None:
        claimed.update(mail_due_at=None)
        return False
    notices = _still_wanted(list(claimed.order_by("at", "pk")), wishes_of(reader), lease)
    if not notices:
        return False
    ours = Notice.objects.filter(pk__in=[one.pk for one in notices], mail_due_at=lease)
    try:
        letter = letters.digest(reader, address, notices, door=door_of(reader), wishes=wishes_of(reader))
        connection.send_messages([letter])
    except Exception as error:
        _put_off(notices, lease)
        if _away(error):
            raise
        log.exception("digest of user %s", user_id)
        return False
    ours.update(mailed_at=now(), mail_due_at=None, mail_tries=0)
    return True


def _away(error: Exception) -> bool:
    """Whether the server is not there, rather than not liking one mail (whose errors are OSErrors, too)."""
    return isinstance(error, GONE) or (isinstance(error, OSError) and not isinstance(error, smtplib.SMTPException))


def _still_wanted(notices: Sequence[Notice], wishes: Wishes, lease: datetime) -> list[Notice]:
    """Of the claimed ones those that their reader wants by mail now; the others are let go, or wait for his morning."""
    moment, habit, kept = lease - LEASE, habit_of(wishes), []
    for notice in notices:
        kind = KINDS.get(notice.kind)
        late = notice.until is not None and notice.until <= moment
        if kind is None or late or wishes.digest == Wishes.Digest.NEVER or not wanted(wishes.channels, kind, MAIL):
            _move(notice, lease, None)
        elif (due := loud(habit.quiet, moment, moment, until=notice.until)) > moment:
            _move(notice, lease, due)
        else:
            kept.append(notice)
    return kept


def _put_off(notices: Sequence[Notice], lease: datetime) -> None:
    for notice in notices:
        pause = PAUSES[min(notice.mail_tries, len(PAUSES) - 1)]
        ours = Notice.objects.filter(pk=notice.pk, mail_due_at=lease)
        ours.update(mail_due_at=lease - LEASE + pause, mail_tries=notice.mail_tries + 1)


def _move(notice: Notice, lease: datetime, due: datetime | None) -> None:
    """Change the moment of a claimed notice, unless a newer word has come meanwhile."""
    Notice.objects.filter(pk=notice.pk, mail_due_at=lease).update(mail_due_at=due)


def _rest() -> None:
    """The server is away: all that is due waits for it, each as long as it has failed before."""
    moment, last = now(), len(PAUSES) - 1
    for tries in range(last, -1, -1):
        due = Notice.objects.filter(mail_due_at__lte=moment)
        due = due.filter(mail_tries__gte=last) if tries == last else due.filter(mail_tries=tries)
        due.update(mail_due_at=moment + PAUSES[tries], mail_tries=min(tries + 1, last))
