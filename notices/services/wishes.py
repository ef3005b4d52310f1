"""How a person wishes to be told: kept here, and here alone."""

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
from notices.errors import Refused
from notices.hours import Habit, Quiet, mail_at, push_at
from notices.kinds import CHANNELS, KINDS, MAIL, PUSH, wanted
from notices.models import Notice, Wishes

Channels = Mapping[str, Mapping[str, bool]]
LAST_HOUR = 23


def wishes_of(reader: User) -> Wishes:
    """The wishes of a person, or the usual ones (not saved) where he has said nothing."""
    try:
        found: Wishes = reader.notice_wishes
    except Wishes.DoesNotExist:
        return Wishes(user=reader)
    return found


def zone_of(wishes: Wishes) -> ZoneInfo:
    """The time zone of a person, or the site's."""
    return ZoneInfo(wishes.timezone or settings.TIME_ZONE)


def habit_of(wishes: Wishes) -> Habit:
    """His wishes as `notices.hours` reckons with them."""
    zone = zone_of(wishes)
    start, end = wishes.quiet_from, wishes.quiet_to
    quiet = Quiet(start, end, zone) if start is not None and end is not None else None
    return Habit(wishes.digest, wishes.hour, zone, quiet)


def wishes_save(
    *,
    user: User,
    channels: Channels,
    digest: str,
    hour: int,
    quiet_from: time | None,
    quiet_to: time | None,
    timezone: str,
) -> Wishes:
    """Keep all wishes of a person; what waits to be sent is put where it belongs now.

    Raises Refused: notice_member (a guest has the page alone), notice_digest, notice_quiet, notice_zone.
    """
    if user.is_guest or user.is_bot:
        raise Refused("notice_member")
    if digest not in Wishes.Digest.values or not 0 <= hour <= LAST_HOUR:
        raise Refused("notice_digest")
    if (quiet_from is None) != (quiet_to is None):
        raise Refused("notice_quiet")
    if timezone and timezone not in available_timezones():
        raise Refused("notice_zone")
    facts = {"digest": digest, "hour": hour, "quiet_from": quiet_from, "quiet_to": quiet_to, "timezone": timezone}
    with transaction.atomic():
        wishes, _made = Wishes.objects.update_or_create(
            user=user, defaults={**facts, "channels": _unusual(channels), "changed_at": now()}
        )
        _put_off(wishes)
    return wishes


def mail_stop(*, wishes: Wishes, kind: str | None) -> None:
    """No mail of this kind any more, or (None) none at all; what waits does not leave either."""
    with transaction.atomic():
        wishes = Wishes.objects.select_for_update().get(pk=wishes.pk)
        waiting = Notice.objects.filter(user=wishes.user_id, mail_due_at__isnull=False)
        if kind is None:
            wishes.digest = Wishes.Digest.NEVER
        else:
            wishes.channels = {**wishes.channels, kind: {**wishes.channels.get(kind, {}), MAIL: False}}
            waiting = waiting.filter(kind=kind)
        wishes.changed_at = now()
        wishes.save(update_fields=["digest", "channels", "changed_at"])
        waiting.update(mail_due_at=None)


def door_of(reader: User) -> str:
    """The secret of the links by which a person stops his mail, made once."""
    wishes, _made = Wishes.objects.get_or_create(user=reader)
    if not wishes.door:
        Wishes.objects.filter(pk=wishes.pk, door=None).update(door=secrets.token_urlsafe(18))
        wishes.refresh_from_db(fields=["door"])
    return str(wishes.door)


def _unusual(channels: Channels) -> dict[str, dict[str, bool]]:
    """What differs from the usual: so that a usual thing can change for all who never said otherwise."""
    unusual: dict[str, dict[str, bool]] = {}
    for key, kind in KINDS.items():
        for way in CHANNELS:
            chosen = channels.get(key, {}).get(way, kind.goes(way))
            if chosen != kind.goes(way):
                unusual.setdefault(key, {})[way] = chosen
    return unusual


def _put_off(wishes: Wishes) -> None:
    """Reckon anew when that leaves which waits."""
    habit, moment = habit_of(wishes), now()
    waiting = Notice.objects.filter(user=wishes.user_id).exclude(Q(mail_due_at=None), Q(push_due_at=None))
    for notice in waiting:
        kind = KINDS[notice.kind]
        if notice.mail_due_at is not None:
            mailed = mail_at(habit, moment, waits=kind.waits, until=notice.until)
            notice.mail_due_at = mailed if wanted(wishes.channels, kind, MAIL) else None
        if notice.push_due_at is not None:
            pushed = wanted(wishes.channels, kind, PUSH)
            notice.push_due_at = push_at(habit, moment, until=notice.until) if pushed else None
        notice.save(update_fields=["mail_due_at", "push_due_at"])
