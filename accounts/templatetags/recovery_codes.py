"""A template filter for recovery codes."""

from __future__ import annotations

from typing import Any

from django import template

from accounts.auth import recovery_codes

register = template.Library()


@register.filter
def codes_left(codes: Any) -> int:
    """How many recovery codes are left; `codes` is allauth's wrapper of the row, or empty."""
    return recovery_codes.remaining_count(codes.instance if codes else None)
