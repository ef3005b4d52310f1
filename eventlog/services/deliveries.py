"""What goes to webhooks: at least once, in no order to rely on, again and again for some days if need be."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta

import orjson
from django.conf import settings
from django.core.cache import cache
from django.db.models import Min, Q

from accounts.web import outbound_http
from eventlog.kinds import PING, USER, topic
from eventlog.models import Delivery, Event, Topic, Webhook
from eventlog.selectors.events import serialize_events
from eventlog.signing import headers
from eventlog.visibility import permitted_topics
from games.database import now
from notifications.build import Draft
from notifications.services import notification_write

log = logging.getLogger(__name__)

ROUND = "eventlog.deliveries.round"
LEASE = timedelta(minutes=1)
"""How long a delivery belongs to the worker that took it: far longer than a round takes."""
MOST_AT_ONCE = 64
EACH, FAILING = 8, 1
"""Deliveries of one webhook in a round; only one is tried of a webhook whose last delivery failed."""
RETRY_DELAYS = tuple(timedelta(seconds=each) for each in (10, 30, 60, 300, 900, 3600, 7200, 14400))
"""The time until the next try, longer each time."""
MOST_TRIES = 15
GIVE_UP = timedelta(days=3)
"""After which a webhook that takes nothing is put to rest."""
MOST_WAITING = 1000
AGENT = "Tablero-Webhook/1"
HTTP_GONE = 410


def enqueue(events: Sequence[Event], topics: Mapping[int, frozenset[str]], moment: datetime) -> None:
    """Create a delivery for each webhook and each new event that it receives, in the transaction of the log."""
    if not events:
        return
    rows = []
    for hook in Webhook.objects.filter(active=True, user__is_active=True).select_related("user"):
        own = topic(USER, hook.user_id)
        about = {own, *hook.subjects}
        received = [event for event in events if topics[event.number] & about and event.at >= hook.since]
        received = [event for event in received if not hook.kinds or event.kind in hook.kinds]
        if any(own not in topics[event.number] for event in received):
            may = permitted_topics(hook.user, about)
            received = [event for event in received if topics[event.number] & may]
        if received and hook.failing_since is not None:
            received = received[: max(0, MOST_WAITING - hook.deliveries.exclude(due_at=None).count())]
        rows += [Delivery(hook=hook, event=event, made_at=moment, due_at=moment) for event in received]
    Delivery.objects.bulk_create(rows, batch_size=500, ignore_conflicts=True)


def deliver() -> int:
    """Send what is due; how much was tried. One round runs at a time, for the workers have other things to do.

    Steps: take what is due and belongs to nobody else; call the addresses, all at once and outside of any transaction;
    write down their answers. A worker that dies in between may send something a second time.
    """
    if not Delivery.objects.filter(due_at__lte=now()).exists() or not cache.add(ROUND, 1, LEASE.total_seconds()):
        return 0
    try:
        return _round()
    finally:
        cache.delete(ROUND)


def _round() -> int:
    moment = now()
    ready = [(delivery, call) for delivery in _take(moment) if (call := _prepared(delivery, moment)) is not None]
    answers = (
        outbound_http.send_all([call for _delivery, call in ready], loopback=settings.HOOKS_LOOPBACK) if ready else []
    )
    for (delivery, _call), answer in zip(ready, answers, strict=True):
        _answered(delivery, answer)
    return len(ready)


def _take(moment: datetime) -> list[Delivery]:
    """What is due, a few of each webhook, and was not taken by another worker; it is ours for `LEASE`."""
    awake = Q(hook__rests_until=None) | Q(hook__rests_until__lte=moment)
    due = Delivery.objects.filter(awake, due_at__lte=moment, hook__active=True, hook__user__is_active=True)
    firsts = due.order_by().values("hook", "hook__failures").annotate(first=Min("due_at")).order_by("first")
    claimed: list[Delivery] = []
    for row in firsts[:MOST_AT_ONCE]:
        due_to_hook = due.filter(hook=row["hook"]).select_related("hook__user", "event__by").order_by("due_at", "pk")
        for delivery in due_to_hook[: FAILING if row["hook__failures"] else EACH]:
            unchanged = Delivery.objects.filter(pk=delivery.pk, due_at=delivery.due_at)
            delivery.due_at = moment + LEASE
            if len(claimed) < MOST_AT_ONCE and unchanged.update(due_at=delivery.due_at):
                claimed.append(delivery)
    return claimed


def _prepared(delivery: Delivery, moment: datetime) -> outbound_http.Call | None:
    """Return the HTTP call of a delivery; None, for good, if its owner may not see the event or it cannot be made."""
    try:
        if _may(delivery):
            return _call(delivery, moment)
        why = "not permitted"
    except Exception:
        log.exception("webhook: delivery %s cannot be made", delivery.pk)
        why = "not made"
    Delivery.objects.filter(pk=delivery.pk, due_at=delivery.due_at).update(due_at=None, why=why)
    return None


def _may(delivery: Delivery) -> bool:
    if delivery.event.kind == PING:
        return True
    hook = delivery.hook
    received = set(Topic.objects.filter(event=delivery.event_id).values_list("topic", flat=True))
    return bool(permitted_topics(hook.user, received & {topic(USER, hook.user_id), *hook.subjects}))


def _call(delivery: Delivery, moment: datetime) -> outbound_http.Call:
    """The message: a body with the event, and its signature. Its id is the same at every try."""
    endpoint = outbound_http.parse(delivery.hook.url, loopback=settings.HOOKS_LOOPBACK)
    event = serialize_events([delivery.event])[0]
    body = orjson.dumps({"type": event["kind"], "timestamp": event["at"], "data": event})
    message_id = f"msg_{delivery.hook_id}_{delivery.event_id}"
    signed = headers(delivery.hook.secret, message_id=message_id, timestamp=int(moment.timestamp()), body=body)
    return outbound_http.Call(endpoint, {"Content-Type": "application/json", "User-Agent": AGENT, **signed}, body)


def _answered(delivery: Delivery, answer: outbound_http.Answer) -> None:
    """Write down what an address answered, unless it was asked for anew meanwhile."""
    moment = now()
    accepted = 200 <= answer.status < 300
    tries = delivery.tries + 1
    due_at = None if accepted or tries >= MOST_TRIES else moment + retry_delay(tries)
    unchanged = Delivery.objects.filter(pk=delivery.pk, due_at=delivery.due_at)
    unchanged.update(
        due_at=due_at, taken=accepted, tries=tries, tried_at=moment, status=answer.status, why=answer.why[:40]
    )
    hook = Webhook.objects.filter(pk=delivery.hook_id, url=delivery.hook.url)
    if accepted:
        hook.exclude(failures=0, failing_since=None).update(failing_since=None, failures=0, rests_until=None)
        return
    log.warning("webhook: hook %s is answered with %s %s", delivery.hook_id, answer.status, answer.why)
    hook.filter(failing_since=None).update(failing_since=moment)
    failures = delivery.hook.failures + 1
    hook.update(failures=failures, rests_until=moment + retry_delay(failures))
    giving_up = Q() if answer.status == HTTP_GONE else Q(failing_since__lt=moment - GIVE_UP)
    if hook.filter(giving_up, active=True).update(active=False, gave_up_at=moment):
        Delivery.objects.filter(hook=delivery.hook_id).update(due_at=None)
        _notify_owner(delivery.hook)


def retry_delay(failures: int) -> timedelta:
    """How long to wait after so many failures in a row."""
    return RETRY_DELAYS[min(failures, len(RETRY_DELAYS)) - 1]


def _notify_owner(hook: Webhook) -> None:
    """Notify the owner that the webhook was switched off."""
    draft = Draft("hook_off", str(hook.pk), f"/settings/hooks/{hook.pk}/", {"title": hook.name or host_of(hook)})
    notification_write(user_id=hook.user_id, draft=draft)


def host_of(hook: Webhook) -> str:
    """The name of the machine that a webhook goes to."""
    return outbound_http.parse(hook.url, loopback=True).host
