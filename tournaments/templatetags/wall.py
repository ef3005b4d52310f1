"""What other pages show of prizes and master points."""

from __future__ import annotations

from django import template

from accounts.models import User
from tournaments.selectors.head import Head
from tournaments.selectors.prizes import Prizes, prizes_of
from tournaments.selectors.seasons import master, master_points_of
from tournaments.services.placings import awards_of

register = template.Library()


@register.simple_tag
def shown_prizes(view: Head) -> Prizes | None:
    """The prizes of a tournament, where its directors show them to everybody."""
    found = prizes_of(view.sheet)
    return found if found.purse.shown and not found.purse.empty else None


@register.simple_tag
def master_points(view: Head) -> list[tuple[str, str, str, str]]:
    """Who got master points in a tournament that is over: name, points in all, for matches won, for the place."""
    return [
        (view.sheet.name(one.entrant), master(one.total), master(one.wins), master(one.placement))
        for one in sorted(awards_of(view.state), key=lambda one: -one.total)
        if one.total
    ]


@register.simple_tag
def master_points_in_all(user: User) -> str:
    """All master points of a member; nothing where there are none."""
    return master_points_of(user)
