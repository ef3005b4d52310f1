"""The webhooks of members: made, changed, tried and removed here alone."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.db import transaction

from accounts.models import User
from accounts.web import outbound_http
from accounts.web.encryption import site_cipher
from eventlog.errors import Refused
from eventlog.kinds import PING
from eventlog.models import Delivery, Event, EventLog, Webhook
from eventlog.services.event_log import events_record
from eventlog.services.subscriptions import kinds_of, topics_of
from eventlog.signing import secret_make
from games.database import now

MOST = 10
LONGEST_NAME = 60
PINGS, PINGS_IN = 10, timedelta(minutes=1)


def webhook_add(
    *, user: User, url: str, name: str = "", kinds: Iterable[str] = (), subjects: Iterable[str] = ()
) -> Webhook:
    """Create a webhook of this member. Its secret is shown once.

    Raises Refused: hook_member, hook_url, hook_name, hook_kinds, hook_subjects, hook_subjects_most, hook_most.
    """
    if user.is_guest or user.is_bot or not user.is_active:
        raise Refused("hook_member")
    facts = _checked(user, url=url, name=name, kinds=kinds, subjects=subjects)
    with transaction.atomic():
        User.objects.select_for_update(no_key=True).get(pk=user.pk)
        if Webhook.objects.filter(user=user).count() >= MOST:
            raise Refused("hook_most", params={"most": MOST})
        moment = now()
        hook = Webhook.objects.create(user=user, secret_locked=_secret_new(), since=moment, made_at=moment, **facts)
    events_record()  # from here on it misses nothing
    return hook


def webhook_change(*, user: User, hook_id: int, **facts: Any) -> Webhook:
    """Change the given fields of a webhook: url, name, kinds, subjects, active. One that is switched on starts anew.

    Raises Refused: no_hook, and those of `webhook_add`.
    """
    active = facts.pop("active", None)
    changed = _checked(user, **facts)
    with transaction.atomic():
        hook = _locked(user, hook_id)
        for name, value in changed.items():
            setattr(hook, name, value)
        moment = now()
        if active is False:
            hook.active = False
        elif active is True and not hook.active:
            hook.active, hook.since, hook.gave_up_at = True, moment, None
        if active is True or "url" in changed:
            hook.failing_since, hook.failures, hook.rests_until = None, 0, None
        hook.save()
    if hook.active:
        events_record()
    return hook


def webhook_secret_renew(*, user: User, hook_id: int) -> Webhook:
    """Another secret; what is sent from now on is signed with it alone. Raises Refused no_hook."""
    with transaction.atomic():
        hook = _locked(user, hook_id)
        hook.secret_locked = _secret_new()
        hook.save(update_fields=["secret_locked"])
    return hook


def webhook_remove(*, user: User, hook_id: int) -> None:
    """Forget a webhook and what was sent to it. Raises Refused no_hook."""
    with transaction.atomic():
        _locked(user, hook_id).delete()


def webhook_ping(*, user: User, hook_id: int) -> Delivery:
    """Send a ``ping``, for its owner to see that it arrives. Raises Refused: no_hook, hook_off, hook_often."""
    with transaction.atomic():
        hook = _locked(user, hook_id)
        if not hook.active:
            raise Refused("hook_off")
        moment = now()
        pings = Delivery.objects.filter(hook=hook, event__kind=PING, made_at__gt=moment - PINGS_IN)
        if pings.count() >= PINGS:
            raise Refused("hook_often")
        EventLog.objects.get_or_create(pk=1, defaults={"at": moment})
        event_log = EventLog.objects.select_for_update().get(pk=1)
        event_log.number += 1
        event_log.save(update_fields=["number"])
        event = Event.objects.create(
            number=event_log.number,
            key=f"ping:{event_log.number}",
            kind=PING,
            subject=f"hook:{hook.pk}",
            at=moment,
            data={},
        )
        return Delivery.objects.create(hook=hook, event=event, made_at=moment, due_at=moment)


def delivery_repeat(*, user: User, hook_id: int, delivery_id: int) -> Delivery:
    """Send something once more, whatever became of it. Raises Refused: no_delivery, hook_off."""
    with transaction.atomic():
        deliveries = Delivery.objects.select_for_update(of=("self",)).select_related("hook", "event")
        delivery = deliveries.filter(pk=delivery_id, hook=hook_id, hook__user=user).first()
        if delivery is None:
            raise Refused("no_delivery")
        if not delivery.hook.active:
            raise Refused("hook_off")
        delivery.due_at, delivery.taken, delivery.tries = now(), False, 0
        delivery.save(update_fields=["due_at", "taken", "tries"])
        Webhook.objects.filter(pk=delivery.hook_id).update(rests_until=None)
    return delivery


def _secret_new() -> str:
    return site_cipher("webhook").encrypt(secret_make())


def _locked(user: User, hook_id: int) -> Webhook:
    hook = Webhook.objects.select_for_update().filter(pk=hook_id, user=user).first()
    if hook is None:
        raise Refused("no_hook")
    return hook


def _checked(user: User, **facts: Any) -> dict[str, Any]:
    """Check the fields of a webhook and return them as they are stored."""
    found = dict(facts)
    if "url" in found:
        try:
            outbound_http.parse(found["url"], loopback=settings.HOOKS_LOOPBACK)
        except outbound_http.BadEndpoint as error:
            raise Refused("hook_url") from error
    if "name" in found:
        found["name"] = " ".join(found["name"].split())
        if len(found["name"]) > LONGEST_NAME:
            raise Refused("hook_name", params={"most": LONGEST_NAME})
    if "kinds" in found:
        found["kinds"] = list(kinds_of(found["kinds"]))
    if "subjects" in found:
        found["subjects"] = list(topics_of(user, subjects=found["subjects"])[1:])
    return found
