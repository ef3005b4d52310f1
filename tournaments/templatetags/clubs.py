"""What the pages of a tournament ask about its club."""

from __future__ import annotations

from django import template

from accounts.models import User
from accounts.roles import Act, may
from accounts.roles import directs as directs_club
from tournaments.models import Tournament

register = template.Library()


@register.simple_tag
def may_take_over(user: User, tournament: Tournament) -> bool:
    """Whether the viewer owns the club of a tournament and may become one of its directors."""
    return user.is_authenticated and may(user, Act.TAKE_OVER, tournament.club)


@register.simple_tag
def may_keep_templates(user: User, tournament: Tournament) -> bool:
    """Whether the viewer directs the club of a tournament, whose nights it could be a template of."""
    return directs_club(user, tournament.club)
