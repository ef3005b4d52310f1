"""The webhooks of members: made, changed, tried and removed here alone."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.db import transaction

from accounts import outbound
from accounts.box import site_box
from accounts.models import User
from games.database import now
from hooks.errors import Refused
from hooks.kinds import PING
from hooks.models import Clerk, Delivery, Event, Hook
from hooks.services.clerk import events_take
from hooks.services.ears import kinds_of, topics_of
from hooks.signing import secret_make

MOST = 10
LONGEST_NAME = 60
PINGS, PINGS_IN = 10, timedelta(minutes=1)


def hook_add(*, user: User, url: str, name: str = "", kinds: Iterable[str] = (), subjects: Iterable[str] = ()) -> Hook:
    """A webhook of this member. Its secret is shown to him now, and to nobody later.

    Raises Refused: hook_member, hook_url, hook_name, hook_kinds, hook_subjects, hook_subjects_most, hook_most.
    """
    if user.is_guest or user.is_bot or not user.is_active:
        raise Refused("hook_member")
    facts = _checked(user, url=url, name=name, kinds=kinds, subjects=subjects)
    with transaction.atomic():
        User.objects.select_for_update(no_key=True).get(pk=user.pk)
        if Hook.objects.filter(user=user).count() >= MOST:
            raise Refused("hook_most", params={"most": MOST})
        moment = now()
        hook = Hook.objects.create(user=user, secret_locked=_secret_new(), since=moment, made_at=moment, **facts)
    events_take()  # from here on it misses nothing
    return hook


def hook_change(*, user: User, hook_id: int, **facts: Any) -> Hook:
    """Change what is named of a webhook: url, name, kinds, subjects, active. One that is switched on begins anew.

    Raises Refused: no_hook, and those of `hook_add`.
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
        events_take()
    return hook


def hook_secret_renew(*, user: User, hook_id: int) -> Hook:
    """Another secret; what is sent from now on is signed with it alone. Raises Refused no_hook."""
    with transaction.atomic():
        hook = _locked(user, hook_id)
        hook.secret_locked = _secret_new()
        hook.save(update_fields=["secret_locked"])
    return hook


def hook_remove(*, user: User, hook_id: int) -> None:
    """Forget a webhook and what was sent to it. Raises Refused no_hook."""
    with transaction.atomic():
        _locked(user, hook_id).delete()


def hook_try(*, user: User, hook_id: int) -> Delivery:
    """Send a ``ping``, for its owner to see that it arrives. Raises Refused: no_hook, hook_off, hook_often."""
    with transaction.atomic():
        hook = _locked(user, hook_id)
        if not hook.active:
            raise Refused("hook_off")
        moment = now()
        pings = Delivery.objects.filter(hook=hook, event__kind=PING, made_at__gt=moment - PINGS_IN)
        if pings.count() >= PINGS:
            raise Refused("hook_often")
        Clerk.objects.get_or_create(pk=1, defaults={"at": moment})
        clerk = Clerk.objects.select_for_update().get(pk=1)
        clerk.number += 1
        clerk.save(update_fields=["number"])
        event = Event.objects.create(
            number=clerk.number, key=f"ping:{clerk.number}", kind=PING, subject=f"hook:{hook.pk}", at=moment, data={}
        )
        return Delivery.objects.create(hook=hook, event=event, made_at=moment, due_at=moment)


def delivery_again(*, user: User, hook_id: int, delivery_id: int) -> Delivery:
    """Send something once more, whatever became of it. Raises Refused: no_delivery, hook_off."""
    with transaction.atomic():
        mine = Delivery.objects.select_for_update(of=("self",)).select_related("hook", "event")
        delivery = mine.filter(pk=delivery_id, hook=hook_id, hook__user=user).first()
        if delivery is None:
            raise Refused("no_delivery")
        if not delivery.hook.active:
            raise Refused("hook_off")
        delivery.due_at, delivery.taken, delivery.tries = now(), False, 0
        delivery.save(update_fields=["due_at", "taken", "tries"])
        Hook.objects.filter(pk=delivery.hook_id).update(rests_until=None)
    return delivery


def _secret_new() -> str:
    return site_box("webhook").lock(secret_make())


def _locked(user: User, hook_id: int) -> Hook:
    hook = Hook.objects.select_for_update().filter(pk=hook_id, user=user).first()
    if hook is None:
        raise Refused("no_hook")
    return hook


def _checked(user: User, **facts: Any) -> dict[str, Any]:
    """What somebody says of a webhook, as it is kept."""
    found = dict(facts)
    if "url" in found:
        try:
            outbound.parse(found["url"], loopback=settings.HOOKS_LOOPBACK)
        except outbound.BadEndpoint as error:
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
