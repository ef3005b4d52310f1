"""What pages tell of codes on paper."""

from __future__ import annotations

from typing import Any

from django import template

from accounts import paper

register = template.Library()


@register.filter
def codes_left(codes: Any) -> int:
    """How many codes of a member are good still; `codes` is what the library calls his recovery codes, or empty."""
    return paper.codes_left(codes.instance if codes else None)
