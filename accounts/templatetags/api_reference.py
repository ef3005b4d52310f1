"""A template filter for the descriptions in the API reference."""

from __future__ import annotations

from django import template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

register = template.Library()


@register.filter
def with_code(text: str) -> SafeString:
    """Mark what stands between backticks as code.

    >>> with_code("A token needs `read`.")
    'A token needs <code>read</code>.'
    """
    parts = enumerate(text.split("`"))
    return format_html_join("", "{}", ((format_html("<code>{}</code>", part) if n % 2 else part,) for n, part in parts))
