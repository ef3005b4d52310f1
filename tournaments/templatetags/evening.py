"""What templates ask of an evening at the club."""

from __future__ import annotations

from collections.abc import Mapping

from django import template

register = template.Library()


@register.filter
def of(table: Mapping[int, str], number: int) -> str:
    """What stands in a table under a number; "" for nothing."""
    return table.get(number, "")
