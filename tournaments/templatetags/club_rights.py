"""What a viewer may do with a tournament of a club."""

from __future__ import annotations

from django import template

from accounts.clubs.roles import ClubAction, may
from accounts.clubs.roles import may_direct as directs_club
from accounts.clubs.services import default_club_ensure
from accounts.models import User
from tournaments.models import Tournament

register = template.Library()


@register.simple_tag
def may_take_over(user: User, tournament: Tournament) -> bool:
    """Whether the viewer owns the club of a tournament and may become one of its directors."""
    return user.is_authenticated and may(user, ClubAction.TAKE_OVER, tournament.club)


@register.simple_tag
def may_bring_here(user: User) -> bool:
    """Whether the viewer may bring a tournament to this site, to be played here."""
    return user.is_authenticated and may(user, ClubAction.EDIT, default_club_ensure())


@register.simple_tag
def may_save_template(user: User, tournament: Tournament) -> bool:
    """Whether the viewer directs the club of a tournament, and may save it as a template."""
    return directs_club(user, tournament.club)
