"""Quick pairing: one click joins a game that waits on the same terms, or posts one; and what to do while it waits."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import timedelta
from typing import Any

from django.db.models import Q

from accounts.models import User
from accounts.relationships.selectors import separated_by_block
from games import bots
from games.clocks import PRESETS
from games.database import now
from games.errors import NotFound, Refused
from games.models import Match
from games.registry import RULES
from games.services import online
from games.services.lobby import match_create, match_join
from games.services.offers import check_offer

MOST_CANDIDATES = 30
JUST_POSTED = timedelta(minutes=1)
"""How long its player counts as there after a game was posted; later they must have a page open."""
WHILE_WAITING = {"variant": "backgammon", "length": 3}
"""The match against the computer where the computer does not play the game that waits."""


def match_quick(
    *, user: User, variant: str, length: int, clock: str, rated: bool, options: Mapping[str, Any] | None = None
) -> Match:
    """Join the oldest open game on these terms whose player is there, else post one; live if it was joined.

    A game of the user's own that is already open on these terms is returned as it is. By correspondence nobody needs
    to be there. Raises Refused as `match_create` does.
    """
    chosen = dict(options or {})
    check_offer([user], variant=variant, length=length, clock=clock, rated=rated, options=chosen)
    for match in _open_on_terms(user, variant, length, clock, rated, chosen):
        if match.creator_id == user.pk:
            return match
        try:
            return match_join(match_id=match.pk, user=user)
        except Refused:  # somebody was faster, or it may not be joined
            continue
    return match_create(creator=user, variant=variant, length=length, clock=clock, rated=rated, options=chosen)


def _open_on_terms(
    user: User, variant: str, length: int, clock: str, rated: bool, options: Mapping[str, Any]
) -> Iterator[Match]:
    """The listed open games on these terms, the user's own first and then the oldest, of players who are there."""
    terms = RULES[variant].terms(length)
    wanted = {key: options.get(key, term.default) for key, term in terms.items()}
    found = Match.objects.filter(status=Match.Status.OPEN, arranged=False, invited=None, listed=True)
    found = found.filter(variant=variant, length=length, clock_preset=clock, rated=rated, creator__is_active=True)
    if rated:
        found = found.exclude(creator__is_bot=True)  # with a bot the game would count in another pool (R6)
    found = found.exclude(creator__in=separated_by_block(user.pk)).order_by("created_at")[:MOST_CANDIDATES]
    same = [
        match for match in found if {key: match.options.get(key, term.default) for key, term in terms.items()} == wanted
    ]
    present = online.among(match.creator_id for match in same)
    since = now() - JUST_POSTED
    for match in sorted(same, key=lambda match: match.creator_id != user.pk):
        there = match.creator_id in present or match.created_at >= since
        if match.creator_id == user.pk or there or PRESETS[clock].slow:
            yield match


def match_while_waiting(*, match_id: str, user: User, bot: User) -> Match:
    """The unrated match without a clock against the computer that the user plays while their open game waits.

    An unfinished one goes on; else one on the same terms begins. It has no clock, so it can be left at any moment and
    continued later. Raises NotFound, Refused: not_open, not_creator, too_many_open, engine_*.
    """
    waiting = Match.objects.filter(pk=match_id).first()
    if waiting is None:
        raise NotFound
    if waiting.status != Match.Status.OPEN:
        raise Refused("not_open")
    if waiting.creator_id != user.pk:
        raise Refused("not_creator")
    against_bot = Q(seats__user=user, seats__ended_at=None) & Q(invited__is_bot=True, invited__owner=None)
    unfinished = Match.objects.filter(against_bot, status=Match.Status.LIVE, clock_preset="none", creator=user)
    if match := unfinished.order_by("-started_at").first():
        return match
    playable = bots.why_unavailable(waiting.variant, waiting.options) is None
    terms = {"variant": waiting.variant, "length": waiting.length, "options": waiting.options}
    chosen: dict[str, Any] = terms if playable else WHILE_WAITING
    return match_create(creator=user, clock="none", rated=False, invited=bot, **chosen)
