"""Matches that an organiser arranges for two players, mostly a tournament: open, begun when both have arrived."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from django.db import transaction
from django.utils.http import url_has_allowed_host_and_scheme

from accounts.models import User
from games import events, notify
from games.database import now
from games.engine import SIDES, Side
from games.errors import NotFound, Refused
from games.models import Match, Seat
from games.replay import PlayRefused
from games.services import dice_chains
from games.services.locked_match import LockedMatch
from games.services.offers import check_offer, withdraw

MAX_PAUSE_REASON = 120


def match_arrange(
    *,
    white: User,
    black: User,
    variant: str,
    length: int,
    clock: str,
    options: Mapping[str, Any] | None = None,
    rated: bool = False,
    title: str = "",
    from_url: str = "",
    lead: Mapping[Side, int] | None = None,
    adjournable: bool = True,
) -> Match:
    """Arrange a match for two players: open with both seats taken, live when both have arrived. Bots arrive at once.

    `title` says what the match is part of (cut to its 120 characters), `from_url` is the path of that page on our site.
    `lead` are the points with which the sides begin, fewer than the match is long: an opponent's penalties give them.
    Not `adjournable` is a match that its organisers want played in one sitting, and pause themselves.
    Raises Refused as `match_create` does, however many matches are open, `bot_rated` and `lead`; ValueError where
    `from_url` leads elsewhere.
    """
    chosen, ahead = dict(options or {}), _lead(lead or {}, length)
    check_offer([white, black], variant=variant, length=length, clock=clock, rated=rated, options=chosen)
    if rated and (white.is_bot or black.is_bot):
        raise Refused("bot_rated", ruling="R6")
    if from_url and not (from_url.startswith("/") and url_has_allowed_host_and_scheme(from_url, allowed_hosts=None)):
        raise ValueError(f"not a path of this site: {from_url}")
    with transaction.atomic():
        moment = now()
        match = Match.objects.create(
            variant=variant,
            length=length,
            rated=rated,
            clock_preset=clock,
            options=chosen,
            creator=white,
            arranged=True,
            title=title[:120],
            from_url=from_url,
            adjournable=adjournable,
            created_at=moment,
        )
        seats = [
            Seat.objects.create(
                match=match, side=side, user=user, points=ahead[side], arrived_at=moment if user.is_bot else None
            )
            for side, user in zip(SIDES, (white, black), strict=True)
        ]
        if not _begin_if_complete(match, seats):
            for user in (white, black):
                notify.notify_user(user.pk, events.ready_message(match, seats, user.pk))
    return match


def match_change_lead(*, match_id: str, lead: Mapping[Side, int]) -> Match:
    """Change the points with which an arranged match begins, while it waits for its players.

    Raises NotFound, Refused: not_open, lead.
    """
    with transaction.atomic():
        match = _lock(match_id)
        if match.status != Match.Status.OPEN:
            raise Refused("not_open")
        ahead = _lead(lead, match.length)
        for seat in match.seats.all():
            if seat.points != ahead[seat.side]:
                seat.points = ahead[seat.side]
                seat.save(update_fields=["points"])
    return match


def _lead(lead: Mapping[Side, int], length: int) -> Mapping[str, int]:
    """The points of both sides before the first game. Raises Refused("lead")."""
    ahead: dict[str, int] = {side: lead.get(side, 0) for side in SIDES}
    if any(type(points) is not int or not 0 <= points < max(length, 1) for points in ahead.values()):
        raise Refused("lead", ruling="B14")
    return ahead


def match_arrive(*, match_id: str, user: User) -> Match:
    """Arrive at an arranged match; the last to arrive begins it. Idempotent.

    Raises NotFound, Refused: not_seated, not_open.
    """
    dice_chains.prepare()
    with transaction.atomic():
        match = _lock(match_id)
        seats = list(match.seats.select_related("user"))
        own = next((seat for seat in seats if seat.user_id == user.pk), None)
        if own is None:
            raise Refused("not_seated")
        if match.status not in (Match.Status.OPEN, Match.Status.LIVE):
            raise Refused("not_open")
        if match.status == Match.Status.OPEN and own.arrived_at is None:
            own.arrived_at = now()
            own.save(update_fields=["arrived_at"])
            if _begin_if_complete(match, seats):
                for seat in seats:
                    if seat is not own and seat.user_id is not None:
                        notify.notify_user(seat.user_id, events.start_message(match))
    return match


def match_call_off(*, match_id: str) -> Match:
    """Stop an arranged match for good, as its organisers decide: nobody wins it. Idempotent.

    A match that has not begun is cancelled. In a live one a passed deadline is carried out first, so that a flag that
    has fallen still counts; then `stop` is recorded. Raises NotFound.
    """
    with transaction.atomic():
        match = _lock(match_id)
        if match.status == Match.Status.OPEN:
            withdraw(match)
        elif match.status == Match.Status.LIVE:
            locked = LockedMatch.lock(match_id)
            if locked.is_overdue:
                locked.expire()
            if locked.state.result is None:
                locked.stop()
            locked.commit()
            match = locked.match
    return match


def match_pause(*, match_id: str, by: User, reason: str = "") -> Match:
    """Stop the clocks of an arranged live match until `match_resume`; nobody can act meanwhile.

    A passed deadline is carried out first. Raises NotFound, Refused: not_live, match_over, paused.
    """
    return _by_director(match_id, lambda locked: locked.pause(by=by.username, why=reason.strip()[:MAX_PAUSE_REASON]))


def match_resume(*, match_id: str) -> Match:
    """Resume a paused match, with the clocks as they were. Raises NotFound, Refused: not_live, not_paused."""
    return _by_director(match_id, LockedMatch.resume)


def _by_director(match_id: str, step: Callable[[LockedMatch], None]) -> Match:
    with transaction.atomic():
        _lock(match_id)
        locked = LockedMatch.lock(match_id)
        if locked.is_overdue:
            locked.expire()
        try:
            step(locked)
        except PlayRefused as refusal:
            if not locked.actions:
                raise Refused(refusal.code, ruling="T") from refusal
        locked.commit()
    return locked.match


def _lock(match_id: str) -> Match:
    match = Match.objects.select_for_update().filter(pk=match_id, arranged=True).first()
    if match is None:
        raise NotFound
    return match


def _begin_if_complete(match: Match, seats: list[Seat]) -> bool:
    """Start play once both have arrived; either way the lists and the waiting pages change."""
    complete = all(seat.arrived_at for seat in seats)
    if complete:
        LockedMatch.begin(match, seats).commit()
    notify.lobby_changed()
    return complete
