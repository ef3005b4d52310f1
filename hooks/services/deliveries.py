"""What goes to webhooks: at least once, in no order to rely on, again and again for some days if need be."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta

import orjson
from django.conf import settings
from django.core.cache import cache
from django.db.models import Min, Q

from accounts import outbound
from games.database import now
from hooks.hearing import audible
from hooks.kinds import PING, USER, topic
from hooks.models import Delivery, Event, Heard, Hook
from hooks.selectors.events import told
from hooks.signing import headers
from notices.services import notice_write
from notices.told import Draft

log = logging.getLogger(__name__)

ROUND = "hooks.deliveries.round"
LEASE = timedelta(minutes=1)
"""How long a delivery belongs to the worker that took it: far longer than a round takes."""
MOST_AT_ONCE = 64
EACH, FAILING = 8, 1
"""Deliveries of one webhook in a round; of one that took nothing the last time, only one is tried."""
RESTS = tuple(timedelta(seconds=each) for each in (10, 30, 60, 300, 900, 3600, 7200, 14400))
"""The time until the next try, longer each time."""
MOST_TRIES = 15
GIVE_UP = timedelta(days=3)
"""After which a webhook that takes nothing is put to rest."""
MOST_WAITING = 1000
AGENT = "Tablero-Webhook/1"
GONE = 410


def write_down(events: Sequence[Event], topics: Mapping[int, frozenset[str]], moment: datetime) -> None:
    """A row for each webhook and each new event that it hears. Called by the clerk, in its transaction."""
    if not events:
        return
    rows = []
    for hook in Hook.objects.filter(active=True, user__is_active=True).select_related("user"):
        own = topic(USER, hook.user_id)
        about = {own, *hook.subjects}
        heard = [event for event in events if topics[event.number] & about and event.at >= hook.since]
        heard = [event for event in heard if not hook.kinds or event.kind in hook.kinds]
        if any(own not in topics[event.number] for event in heard):
            may = audible(hook.user, about)
            heard = [event for event in heard if topics[event.number] & may]
        if heard and hook.failing_since is not None:
            heard = heard[: max(0, MOST_WAITING - hook.deliveries.exclude(due_at=None).count())]
        rows += [Delivery(hook=hook, event=event, made_at=moment, due_at=moment) for event in heard]
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
    ready = [(one, call) for one in _take(moment) if (call := _prepared(one, moment)) is not None]
    answers = outbound.send_all([call for _one, call in ready], loopback=settings.HOOKS_LOOPBACK) if ready else []
    for (delivery, _call), answer in zip(ready, answers, strict=True):
        _answered(delivery, answer)
    return len(ready)


def _take(moment: datetime) -> list[Delivery]:
    """What is due, a few of each webhook, and was not taken by another worker; it is ours for `LEASE`."""
    awake = Q(hook__rests_until=None) | Q(hook__rests_until__lte=moment)
    due = Delivery.objects.filter(awake, due_at__lte=moment, hook__active=True, hook__user__is_active=True)
    firsts = due.order_by().values("hook", "hook__failures").annotate(first=Min("due_at")).order_by("first")
    taken: list[Delivery] = []
    for row in firsts[:MOST_AT_ONCE]:
        some = due.filter(hook=row["hook"]).select_related("hook__user", "event__by").order_by("due_at", "pk")
        for delivery in some[: FAILING if row["hook__failures"] else EACH]:
            ours = Delivery.objects.filter(pk=delivery.pk, due_at=delivery.due_at)
            delivery.due_at = moment + LEASE
            if len(taken) < MOST_AT_ONCE and ours.update(due_at=delivery.due_at):
                taken.append(delivery)
    return taken


def _prepared(delivery: Delivery, moment: datetime) -> outbound.Call | None:
    """The call for a delivery; None, and never again, where its owner may not hear it, or none can be made."""
    try:
        if _may(delivery):
            return _call(delivery, moment)
        why = "not heard"
    except Exception:
        log.exception("webhook: delivery %s cannot be made", delivery.pk)
        why = "not made"
    Delivery.objects.filter(pk=delivery.pk, due_at=delivery.due_at).update(due_at=None, why=why)
    return None


def _may(delivery: Delivery) -> bool:
    if delivery.event.kind == PING:
        return True
    hook = delivery.hook
    heard = set(Heard.objects.filter(event=delivery.event_id).values_list("topic", flat=True))
    return bool(audible(hook.user, heard & {topic(USER, hook.user_id), *hook.subjects}))


def _call(delivery: Delivery, moment: datetime) -> outbound.Call:
    """The message: a body with the event, and its signature. Its id is the same at every try."""
    endpoint = outbound.parse(delivery.hook.url, loopback=settings.HOOKS_LOOPBACK)
    event = told([delivery.event])[0]
    body = orjson.dumps({"type": event["kind"], "timestamp": event["at"], "data": event})
    message_id = f"msg_{delivery.hook_id}_{delivery.event_id}"
    signed = headers(delivery.hook.secret, message_id=message_id, timestamp=int(moment.timestamp()), body=body)
    return outbound.Call(endpoint, {"Content-Type": "application/json", "User-Agent": AGENT, **signed}, body)


def _answered(delivery: Delivery, answer: outbound.Answer) -> None:
    """Write down what an address answered, unless it was asked for anew meanwhile."""
    moment = now()
    taken = 200 <= answer.status < 300
    tries = delivery.tries + 1
    due_at = None if taken or tries >= MOST_TRIES else moment + rest(tries)
    ours = Delivery.objects.filter(pk=delivery.pk, due_at=delivery.due_at)
    ours.update(due_at=due_at, taken=taken, tries=tries, tried_at=moment, status=answer.status, why=answer.why[:40])
    hook = Hook.objects.filter(pk=delivery.hook_id, url=delivery.hook.url)
    if taken:
        hook.exclude(failures=0, failing_since=None).update(failing_since=None, failures=0, rests_until=None)
        return
    log.warning("webhook: hook %s is answered with %s %s", delivery.hook_id, answer.status, answer.why)
    hook.filter(failing_since=None).update(failing_since=moment)
    failures = delivery.hook.failures + 1
    hook.update(failures=failures, rests_until=moment + rest(failures))
    tired = Q() if answer.status == GONE else Q(failing_since__lt=moment - GIVE_UP)
    if hook.filter(tired, active=True).update(active=False, gave_up_at=moment):
        Delivery.objects.filter(hook=delivery.hook_id).update(due_at=None)
        _tell(delivery.hook)


def rest(failures: int) -> timedelta:
    """How long to wait after so many failures in a row."""
    return RESTS[min(failures, len(RESTS)) - 1]


def _tell(hook: Hook) -> None:
    """The owner hears that his webhook was put to rest."""
    draft = Draft("hook_off", str(hook.pk), f"/settings/hooks/{hook.pk}/", {"title": hook.name or host_of(hook)})
    notice_write(user_id=hook.user_id, draft=draft)


def host_of(hook: Hook) -> str:
    """The name of the machine that a webhook goes to."""
    return outbound.parse(hook.url, loopback=True).host
