"""Send notifications to devices, read the push services' answers and schedule retries (docs/adr/0018)."""

from __future__ import annotations

import logging
from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

from django.conf import settings
from django.core.cache import cache
from django.db.models import F, Q, QuerySet
from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext as _

from accounts.web import outbound_http
from backgammon.languages import first_supported
from games.database import now
from notifications import sentences
from notifications.models import Notification, PushDevice, PushMessage
from notifications.push import encryption, protocol
from notifications.services.devices import vapid_key

log = logging.getLogger(__name__)

MOST_AT_ONCE = 64
"""Messages of one round: with `outbound.AT_ONCE` at a time it is over within some seconds, whatever the servers do."""
ROUND, SOON = "notifications.push.round", timedelta(seconds=2)
LEASE = timedelta(minutes=1)
"""How long a message belongs to the worker that took it: far longer than a round takes."""
GIVE_UP = timedelta(days=14)
"""After which a device whose service takes nothing is forgotten."""


@dataclass(frozen=True)
class DeliveryOutcome:
    """What became of a notification: delivered to a device's service; no device to deliver to; or more to do `at`."""

    state: Literal["done", "gone", "later"]
    at: datetime | None = None


def deliver(notification_ids: Collection[int]) -> dict[int, DeliveryOutcome]:
    """Send notifications to all devices of their users, and return what became of each. Called by a worker's sweep.

    Steps: record what is to be sent where; claim what is due; call the push services, all at once and outside of any
    transaction; record their answers. A device gets each message once; a worker that dies between the call and its
    answer may send it a second time, which replaces the first on the screen. One round runs at a time, because the
    workers have other things to do: what comes during another one is sent `SOON`.
    """
    if not cache.add(ROUND, 1, LEASE.total_seconds()):
        return dict.fromkeys(notification_ids, DeliveryOutcome("later", now() + SOON))
    try:
        return _round(notification_ids)
    finally:
        cache.delete(ROUND)


def device_try(*, device_id: int) -> None:
    """Send a test message to one device."""
    device = PushDevice.objects.select_related("user").filter(pk=device_id, club_key=vapid_key().public).first()
    if device is None:
        return
    with translation.override(_language(device)):
        payload = protocol.PushPayload(
            title=_("Notifications are on"),
            body=_("This is how notifications look on this device."),
            url=reverse("notice-settings"),
            tag="trial",
            lang=_language(device),
        )
    moment = now()
    (answer,) = _send([_call(device, payload, "trial", moment + protocol.terms_of("trial").ttl, moment)])
    _device_answered(device, answer)


def _round(notification_ids: Collection[int]) -> dict[int, DeliveryOutcome]:
    moment = now()
    _record_messages(notification_ids, moment)
    ready = [(push, call) for push in _take(notification_ids, moment) if (call := _prepared(push, moment)) is not None]
    answers = _send([call for _push, call in ready])
    for (push, _sent), answer in zip(ready, answers, strict=True):
        _answered(push, answer)
    return _outcomes(notification_ids, moment)


def _record_messages(notification_ids: Collection[int], moment: datetime) -> None:
    """Create a row for each true notification and each device of its reader; a newer message starts anew."""
    notifications = {notification.pk: notification for notification in _alive(moment).filter(pk__in=notification_ids)}
    devices = defaultdict(list)
    for device in PushDevice.objects.filter(
        user__in={notification.user_id for notification in notifications.values()}, club_key=vapid_key().public
    ):
        devices[device.user_id].append(device)
    known = {(push.notice_id, push.device_id): push for push in PushMessage.objects.filter(notice__in=notifications)}
    new = []
    for notification in notifications.values():
        until = moment + protocol.terms_of(notification.kind).ttl
        fields = {"said_at": notification.at, "until": min(until, notification.until or until)}
        for device in devices[notification.user_id]:
            fresh = {**fields, "due_at": max(moment, device.rests_until or moment)}
            push = known.get((notification.pk, device.pk))
            if push is None:
                new.append(PushMessage(device=device, notice=notification, **fresh))
            elif push.said_at != notification.at:
                same = PushMessage.objects.filter(pk=push.pk, said_at=push.said_at)
                same.update(**fresh, taken=False)
    PushMessage.objects.bulk_create(new, ignore_conflicts=True)


def _take(notification_ids: Collection[int], moment: datetime) -> list[PushMessage]:
    """What is due and was not taken by another worker at the same moment; it is ours for `LEASE`."""
    alive = _alive(moment).filter(pk__in=notification_ids)
    due = PushMessage.objects.filter(notice__in=alive, due_at__lte=moment, until__gt=moment).order_by("due_at", "pk")
    claimed = []
    for push in due.select_related("device__user", "notice__user")[:MOST_AT_ONCE]:
        unchanged = PushMessage.objects.filter(pk=push.pk, due_at=push.due_at, said_at=push.said_at)
        push.due_at = moment + LEASE
        if unchanged.update(due_at=push.due_at):
            claimed.append(push)
    return claimed


def _prepared(push: PushMessage, moment: datetime) -> outbound_http.Call | None:
    """The call for a message; None, and never again, where none can be made: that must not hold up the others."""
    try:
        return _call(push.device, _payload(push), push.notice.kind, push.until, moment)
    except Exception:
        log.exception("push: notification %s cannot be written to device %s", push.notice_id, push.device_id)
        PushMessage.objects.filter(pk=push.pk, said_at=push.said_at).update(due_at=None)
        return None


def _send(calls: Sequence[outbound_http.Call]) -> list[outbound_http.Answer]:
    return outbound_http.send_all(calls, loopback=settings.PUSH_LOOPBACK) if calls else []


def _payload(push: PushMessage) -> protocol.PushPayload:
    """Return the notification's payload in the user's language."""
    notification, language = push.notice, _language(push.device)
    with translation.override(language):
        text = sentences.text_of(notification)
    return protocol.PushPayload(
        text.title, text.body, notification.url, f"{notification.kind}:{notification.key}", language
    )


def _language(device: PushDevice) -> str:
    """Return the language for a device: the user's own, else that of the page on which it was added."""
    return first_supported(device.user.language, device.language)


def _call(
    device: PushDevice, payload: protocol.PushPayload, kind: str, until: datetime, moment: datetime
) -> outbound_http.Call:
    """The message as its push service wants it."""
    endpoint = outbound_http.parse(device.endpoint, loopback=settings.PUSH_LOOPBACK)
    headers = {
        "Authorization": vapid_key().authorization(endpoint.origin, subject=settings.VAPID_SUBJECT, now=moment),
        "Content-Encoding": "aes128gcm",
        "Content-Type": "application/octet-stream",
        "TTL": str(max(0, int((until - moment).total_seconds()))),
        "Urgency": protocol.terms_of(kind).urgency,
        "Topic": protocol.topic(payload.tag),
    }
    body = encryption.encrypt(
        payload.text(), receiver=encryption.unb64(device.receiver), auth=encryption.unb64(device.auth)
    )
    return outbound_http.Call(endpoint, headers, body)


def _answered(push: PushMessage, answer: outbound_http.Answer) -> None:
    """Record a service's answer, unless a newer message has replaced this one meanwhile."""
    meaning, rests_until = _device_answered(push.device, answer)
    unchanged = PushMessage.objects.filter(pk=push.pk, due_at=push.due_at, said_at=push.said_at)
    if meaning == "later":
        unchanged.update(due_at=rests_until if rests_until and rests_until < push.until else None)
    else:
        unchanged.update(due_at=None, taken=meaning == "taken")


def _device_answered(
    device: PushDevice, answer: outbound_http.Answer
) -> tuple[protocol.ResponseMeaning, datetime | None]:
    """Return what an answer means, and when the device may be called again.

    A subscription that its service no longer knows is removed, and one that never works after a while.
    """
    meaning, moment = protocol.response_meaning(answer.status), now()
    subscription = PushDevice.objects.filter(pk=device.pk, endpoint=device.endpoint)
    if meaning == "taken":
        subscription.update(heard_at=moment, failing_since=None, failures=0, rests_until=None)
        return meaning, None
    if meaning == "gone":
        subscription.delete()
        return meaning, None
    host = outbound_http.parse(device.endpoint, loopback=True).host
    log.warning("push: %s answers device %s with %s %s", host, device.pk, answer.status, answer.why)
    subscription.filter(failing_since=None).update(failing_since=moment)
    subscription.filter(failing_since__lt=moment - GIVE_UP).delete()
    if meaning == "refused":
        return meaning, None
    rests_until = protocol.retry_at(device.failures + 1, now=moment, retry_after=answer.retry_after)
    subscription.update(failures=device.failures + 1, rests_until=rests_until)
    return meaning, rests_until


def _outcomes(notification_ids: Iterable[int], moment: datetime) -> dict[int, DeliveryOutcome]:
    pushes = defaultdict(list)
    for push in PushMessage.objects.filter(notice__in=notification_ids, said_at=F("notice__at")):
        pushes[push.notice_id].append(push)
    alive = set(_alive(moment).filter(pk__in=notification_ids).values_list("pk", flat=True))
    return {
        notification_id: _outcome(pushes[notification_id], notification_id in alive, moment)
        for notification_id in notification_ids
    }


def _outcome(pushes: Sequence[PushMessage], alive: bool, moment: datetime) -> DeliveryOutcome:
    waiting = [push.due_at for push in pushes if push.due_at is not None and push.until > moment]
    if waiting and alive:
        return DeliveryOutcome("later", min(waiting))
    return DeliveryOutcome("done" if any(push.taken for push in pushes) else "gone")


def _alive(moment: datetime) -> QuerySet[Notification]:
    """Return the notifications that are still true and unread."""
    unread = Notification.objects.filter(read_at=None, user__is_active=True)
    return unread.filter(Q(until=None) | Q(until__gt=moment))
