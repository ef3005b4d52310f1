"""The webhooks of a member, and what was sent to them."""

from __future__ import annotations

from django.db.models import Count, Q, QuerySet

from accounts.models import User
from hooks.errors import Refused
from hooks.models import Delivery, Hook


def hooks_of(user: User) -> QuerySet[Hook]:
    """His webhooks in the order in which they were made, with how many deliveries wait (`waiting`)."""
    waiting = Count("deliveries", filter=Q(deliveries__due_at__isnull=False))
    return Hook.objects.filter(user=user).annotate(waiting=waiting).order_by("pk")


def hook_of(user: User, hook_id: int) -> Hook:
    """One of his webhooks. Raises Refused no_hook."""
    hook = hooks_of(user).filter(pk=hook_id).first()
    if hook is None:
        raise Refused("no_hook")
    return hook


def deliveries_of(hook: Hook) -> QuerySet[Delivery]:
    """What was sent to a webhook, the last first."""
    return Delivery.objects.filter(hook=hook).select_related("event").order_by("-pk")
