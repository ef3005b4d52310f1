"""The card "On this device" of the notification settings."""

from __future__ import annotations

from typing import Any

from django import template

from notifications.views.push import card

register = template.Library()


@register.inclusion_tag("notifications/_push.html", takes_context=True)
def push_card(context: dict[str, Any]) -> dict[str, Any]:
    """Render the viewer's devices, with a button to add this one."""
    return {**card(context["request"]), "csrf_token": context.get("csrf_token"), "request": context["request"]}
