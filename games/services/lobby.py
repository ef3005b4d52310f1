"""The lobby: open games, challenges, joining, rematches."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.db import transaction
from django.db.models import Q

from accounts.models import User
from games import events, notify
from games.database import now
from games.engine import SIDES
from games.errors import NotFound, Refused
from games.models import Match, Seat
from games.services import dice_chains
from games.services.locked_match import LockedMatch
from games.services.offers import check_not_blocked, check_offer, check_rated_players, withdraw

MAX_OPEN = 8


def match_create(
    *,
    creator: User,
    variant: str,
    length: int,
    clock: str,
    rated: bool,
    options: Mapping[str, Any] | None = None,
    invited: User | None = None,
    rematch_of: Match | None = None,
    listed: bool = True,
) -> Match:
    """Open a match: a game that anybody may join, or a challenge to `invited`. A bot of the house accepts at once.

    One that is not `listed` is for those to whom its link is given.

    Raises Refused: too_many_open, apart, and what `check_offer` says.
    """
    chosen = dict(options or {})
    players = [creator] if invited is None else [creator, invited]
    check_offer(players, variant=variant, length=length, clock=clock, rated=rated, options=chosen)
    if invited is not None:
        check_not_blocked(creator, invited)
    if invited is not None and invited.is_house_bot:
        dice_chains.prepare()
    with transaction.atomic():
        if Match.objects.filter(creator=creator, status=Match.Status.OPEN, arranged=False).count() >= MAX_OPEN:
            raise Refused("too_many_open")
        match = Match.objects.create(
            variant=variant,
            length=length,
            rated=rated,
            clock_preset=clock,
            options=chosen,
            creator=creator,
            invited=invited,
            rematch_of=rematch_of,
            listed=listed,
            created_at=now(),
        )
        Seat.objects.create(match=match, side=SIDES[0], user=creator)
        if invited is not None and invited.is_house_bot:
            return match_join(match_id=match.pk, user=invited)
        if invited is not None:
            notify.notify_user(invited.pk, events.challenge_message(match))
        notify.lobby_changed()
    return match


def match_join(*, match_id: str, user: User) -> Match:
    """Take the second seat: the match is live.

    A bot joins no rated game that a person has opened to everybody (R6).

    Raises NotFound, Refused: not_open, arranged, not_invited, self_play, apart, guest_rated, own_bot_rated,
    bot_uninvited.
    """
    dice_chains.prepare()
    with transaction.atomic():
        match = _lock_open(match_id)
        if match.creator_id == user.pk:
            raise Refused("self_play")
        if match.invited_id not in (None, user.pk):
            raise Refused("not_invited")
        check_not_blocked(user, match.creator)
        if match.rated:
            check_rated_players([match.creator, user])
        if match.rated and match.invited_id is None and user.is_bot and not match.creator.is_bot:
            raise Refused("bot_uninvited", ruling="R6")
        Seat.objects.create(match=match, side=SIDES[1], user=user)
        LockedMatch.begin(match, list(match.seats.select_related("user"))).commit()
        notify.lobby_changed()
        notify.notify_user(match.creator_id, events.start_message(match))
    return match


def match_cancel(*, match_id: str, user: User) -> None:
    """Withdraw one's own open game or challenge. Raises NotFound, Refused: not_open, arranged, not_creator."""
    with transaction.atomic():
        match = _lock_open(match_id)
        if match.creator_id != user.pk:
            raise Refused("not_creator")
        withdraw(match)


def match_decline(*, match_id: str, user: User) -> None:
    """Decline a challenge. Raises NotFound, Refused: not_open, arranged, not_invited."""
    with transaction.atomic():
        match = _lock_open(match_id)
        if match.invited_id != user.pk:
            raise Refused("not_invited")
        _decline(match, user)


def challenges_end(*, by: User, other: User) -> None:
    """End the open challenges between two people, because `by` has blocked the other.

    Those by `by` are withdrawn and those of the other declined: to the other it looks like any declined challenge.
    """
    between = Q(creator=by, invited=other) | Q(creator=other, invited=by)
    with transaction.atomic():
        opened = Match.objects.select_for_update().filter(between, status=Match.Status.OPEN, arranged=False)
        for match in opened.order_by("pk"):
            if match.creator_id == by.pk:
                withdraw(match)
            else:
                _decline(match, by)


def _decline(match: Match, user: User) -> None:
    withdraw(match)
    notify.notify_user(match.creator_id, {"t": "declined", "id": match.pk, "from": user.username})


def match_rematch(*, match_id: str, user: User) -> Match:
    """Offer a rematch on the same terms, or accept the one that the opponent already offered.

    Raises NotFound, Refused: arranged, not_over, not_seated, apart, rematch_pending.
    """
    dice_chains.prepare()
    with transaction.atomic():
        match = Match.objects.select_for_update().filter(pk=match_id).first()
        if match is None:
            raise NotFound
        if match.arranged:
            raise Refused("arranged")
        if match.status != Match.Status.OVER:
            raise Refused("not_over")
        users = {seat.user_id: seat.user for seat in match.seats.select_related("user")}
        if user.pk not in users:
            raise Refused("not_seated")
        other = next(each for pk, each in users.items() if pk != user.pk)
        offered = Match.objects.filter(rematch_of=match).first()
        if offered is not None and offered.status == Match.Status.CANCELLED:
            offered.rematch_of = None
            offered.save(update_fields=["rematch_of"])
            offered = None
        if offered is None:
            offered = match_create(
                creator=user,
                variant=match.variant,
                length=match.length,
                clock=match.clock_preset,
                rated=match.rated,
                options=match.options,
                invited=other,
                rematch_of=match,
            )
        elif offered.status == Match.Status.OPEN:
            if offered.creator_id == user.pk:
                raise Refused("rematch_pending")
            offered = match_join(match_id=offered.pk, user=user)
        notify.match_changed(match.pk)
    return offered


def _lock_open(match_id: str) -> Match:
    match = Match.objects.select_for_update().filter(pk=match_id).first()
    if match is None:
        raise NotFound
    if match.status != Match.Status.OPEN:
        raise Refused("not_open")
    if match.arranged:
        raise Refused("arranged")
    return match
