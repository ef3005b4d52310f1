"""The sweep of push notifications: due ones are claimed and rescheduled as `push` says."""

from __future__ import annotations

import logging
from datetime import timedelta

from games.database import now
from notifications.models import Notification
from notifications.services import push

log = logging.getLogger(__name__)

LEASE = timedelta(minutes=2)
MOST_AT_ONCE = 100


def pushes_send() -> int:
    """Deliver the due notifications to their readers' devices; return how many are done.

    A claimed row whose worker died comes due again after `LEASE`; a device gets the same message once.
    """
    moment = now()
    lease, due = moment + LEASE, Notification.objects.filter(push_due_at__lte=moment)
    ids = list(due.order_by("push_due_at", "pk").values_list("pk", flat=True)[:MOST_AT_ONCE])
    if not ids or not due.filter(pk__in=ids).update(push_due_at=lease):
        return 0
    claimed = list(Notification.objects.filter(pk__in=ids, push_due_at=lease).values_list("pk", flat=True))
    done = 0
    for notification_id, outcome in push.deliver(claimed).items():
        leased = Notification.objects.filter(pk=notification_id, push_due_at=lease)
        if outcome.state == "later":
            leased.update(push_due_at=outcome.at)
            continue
        pushed = {"pushed_at": now()} if outcome.state == "done" else {}
        done += leased.update(push_due_at=None, **pushed)
    return done
