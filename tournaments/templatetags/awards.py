"""Prizes and master points in templates."""

from __future__ import annotations

from django import template

from accounts.models import User
from tournaments.selectors.page_header import PageHeader
from tournaments.selectors.prizes import PrizeSheet, prize_sheet_of
from tournaments.selectors.seasons import format_master_points, master_points_of
from tournaments.services.placings import awards_of

register = template.Library()


@register.simple_tag
def shown_prizes(view: PageHeader) -> PrizeSheet | None:
    """The prize sheet of a tournament, if its directors show it to everybody."""
    found = prize_sheet_of(view.snapshot)
    return found if found.purse.shown and not found.purse.is_empty else None


@register.simple_tag
def master_points(view: PageHeader) -> list[tuple[str, str, str, str]]:
    """The master points of a finished tournament: name, total, for matches won, for the place."""
    return [
        (
            view.snapshot.name(award.entrant),
            format_master_points(award.total),
            format_master_points(award.wins),
            format_master_points(award.placement),
        )
        for award in sorted(awards_of(view.state), key=lambda award: -award.total)
        if award.total
    ]


@register.simple_tag
def total_master_points(user: User) -> str:
    """All master points of a member; "" for none."""
    return master_points_of(user)
