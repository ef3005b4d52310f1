"""Template tags of the lobby: the link to invite somebody, and its QR code."""

from __future__ import annotations

from typing import Any

from django import template
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from accounts.web.qr_code import qr_path
from games.models import Match

register = template.Library()


@register.simple_tag(takes_context=True)
def invitation_url(context: Any, match: Match) -> str:
    """The absolute URL of an open game: whoever has it can join."""
    return str(context["request"].build_absolute_uri(reverse("match", args=[match.pk])))


@register.simple_tag
def qr_code(url: str) -> SafeString:
    """The QR code of a URL as an SVG."""
    size, path = qr_path(url)
    return format_html(
        '<svg class="qr" viewBox="0 0 {0} {0}" role="img" aria-label="{1}"><path d="{2}"/></svg>',
        size,
        _("QR code of the link"),
        path,
    )
