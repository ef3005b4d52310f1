"""The card "On this device" of the settings of notices."""

from __future__ import annotations

from typing import Any

from django import template

from notices.views.push import card

register = template.Library()


@register.inclusion_tag("notices/_push.html", takes_context=True)
def push_card(context: dict[str, Any]) -> dict[str, Any]:
    """The devices of who looks, and the way to add this one."""
    return {**card(context["request"]), "csrf_token": context.get("csrf_token"), "request": context["request"]}
