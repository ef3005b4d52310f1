"""The bell in the header of every page."""

from __future__ import annotations

from typing import Any

from django import template
from django.template.context import Context

from notices.selectors import notices

register = template.Library()


@register.inclusion_tag("notices/_bell.html", takes_context=True)
def bell(context: Context) -> dict[str, Any]:
    """How many notices wait for the one who looks; those that lead to this very page are read by his looking."""
    request = context["request"]
    unread, here = notices.bell(user=request.user, path=request.path)
    return {"unread": unread, "here": here, "at": context.get("at")}
