"""How pages name people, matches and clocks."""

from __future__ import annotations

from typing import Any

from django import template
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from accounts.models import User
from games import words
from games.models import Seat
from games.selectors import ratings

register = template.Library()
register.filter("variant", words.variant)
register.filter("clock", words.clock)
register.filter("clock_terms", words.clock_terms)
register.filter("ending", words.ending)
register.filter("habits", words.habits)
register.filter("length", words.length)
register.filter("points", words.points)
register.filter("pace", words.pace)
register.filter("signed", ratings.signed)
register.filter("strength", words.strength)


@register.simple_tag
def person(user: User, link: bool = True) -> SafeString:
    """A name in its own direction, linked to its page; bots, guests and those who left are labelled."""
    name = format_html("<bdi>{}</bdi>", user.username)
    if link:
        name = format_html('<a href="{}">{}</a>', reverse("player", args=[user.username]), name)
    if user.left_at is not None:
        return format_html('{} <span class="badge">{}</span>', name, _("former player"))
    if user.is_bot:
        return format_html('{} <span class="badge">{}</span>', name, _("computer"))
    if user.is_guest and not user.username.startswith(("guest-", "invitado-")):
        return format_html('{} <span class="badge">{}</span>', name, _("guest"))
    return name


@register.simple_tag
def seated(seat: Seat, link: bool = True) -> SafeString:
    """Who sits there: a player as `person` shows him, or the name that a file gave."""
    return person(seat.user, link) if seat.user is not None else format_html("<bdi>{}</bdi>", seat.name)


@register.filter
def initial(user: Any) -> str:
    """The letter on a player's man."""
    return str(user)[:1]
