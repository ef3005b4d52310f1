"""Template tags that label players, matches and clocks."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django import template
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from accounts.models import User
from accounts.names.validation import GENERATED_NAME
from games import labels
from games.models import Match, Rating, Seat, practice_side, seat_of
from games.ratings import Standing
from games.selectors import ratings
from games.services.ratings import standing_of

register = template.Library()
register.filter("variant", labels.variant)
register.filter("clock", labels.clock)
register.filter("clock_terms", labels.clock_terms)
register.filter("ending", labels.ending)
register.filter("habits", labels.habits)
register.filter("length", labels.length)
register.filter("points", labels.points)
register.filter("pace", labels.pace)
register.filter("signed", ratings.signed)
register.filter("strength", labels.strength)


@register.filter
def higher_first(dice: Sequence[int] | None) -> list[int]:
    """The two dice of a roll as they are written: 5-1."""
    return sorted(dice or (), reverse=True)


@register.simple_tag
def person(user: User, link: bool = True) -> SafeString:
    """A user's name, isolated for its text direction and linked; bots, guests and deleted accounts have a badge."""
    name = format_html("<bdi>{}</bdi>", user.username)
    if link:
        name = format_html('<a href="{}">{}</a>', reverse("player", args=[user.username]), name)
    if user.left_at is not None:
        return format_html('{} <span class="badge">{}</span>', name, _("deleted account"))
    if user.is_bot:
        return format_html('{} <span class="badge">{}</span>', name, _("computer"))
    if user.is_guest and not GENERATED_NAME.match(user.username):
        return format_html('{} <span class="badge">{}</span>', name, _("guest"))
    return name


@register.simple_tag
def seated(seat: Seat, link: bool = True) -> SafeString:
    """The player of a seat: a user as in `person`, or the name from a file."""
    return person(seat.user, link) if seat.user is not None else format_html("<bdi>{}</bdi>", seat.name)


@register.simple_tag
def is_practice(match: Match, user: Any) -> bool:
    """Whether this player has a practice match, whose seats were fetched: they can take back plays."""
    side = practice_side(match, match.seats.all())
    return side is not None and seat_of(match, user.pk) == side


@register.simple_tag
def rating_beside(rating: Rating | Standing | None, rated: bool = True) -> SafeString:
    """A rating beside a name, `1612`, or `1500?` while it is provisional; empty without one in an unrated match."""
    if rating is None and not rated:
        return SafeString("")
    standing = standing_of(rating) if isinstance(rating, Rating) else rating or Standing()
    doubt = format_html('<abbr title="{}">?</abbr>', _("provisional")) if standing.provisional else ""
    return format_html('<span class="rating-beside number">{}{}</span>', round(standing.rating), doubt)


@register.filter
def elapsed(moment: datetime) -> int:
    """The whole seconds since a moment."""
    return max(0, int((timezone.now() - moment).total_seconds()))


@register.filter
def clock_face(seconds: int) -> str:
    """Seconds as a clock shows them: `0:42`, `1:05:00`."""
    minutes, seconds = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"


@register.filter
def initial(user: Any) -> str:
    """The first letter of a name, for avatars."""
    return str(user)[:1]
