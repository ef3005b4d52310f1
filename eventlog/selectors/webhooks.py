"""The webhooks of a member, and what was sent to them."""

from __future__ import annotations

from django.db.models import Count, Q, QuerySet

from accounts.models import User
from eventlog.errors import Refused
from eventlog.models import Delivery, Webhook


def webhooks_of(user: User) -> QuerySet[Webhook]:
    """Return a user's webhooks in order of creation, each with its number of pending deliveries (`waiting`)."""
    waiting = Count("deliveries", filter=Q(deliveries__due_at__isnull=False))
    return Webhook.objects.filter(user=user).annotate(waiting=waiting).order_by("pk")


def webhook_of(user: User, hook_id: int) -> Webhook:
    """Return one of the user's webhooks. Raises Refused no_hook."""
    hook = webhooks_of(user).filter(pk=hook_id).first()
    if hook is None:
        raise Refused("no_hook")
    return hook


def deliveries_of(hook: Webhook) -> QuerySet[Delivery]:
    """What was sent to a webhook, the last first."""
    return Delivery.objects.filter(hook=hook).select_related("event").order_by("-pk")
