"""The bell in the header of every page."""

from __future__ import annotations

from typing import Any

from django import template
from django.template.context import Context

from notifications.selectors import notifications

register = template.Library()


@register.inclusion_tag("notifications/_bell.html", takes_context=True)
def bell(context: Context) -> dict[str, Any]:
    """Count the viewer's unread notifications; those that lead to this very page are marked as read."""
    request = context["request"]
    unread, here = notifications.unread_and_here(user=request.user, path=request.path)
    return {"unread": unread, "here": here, "at": context.get("at")}
