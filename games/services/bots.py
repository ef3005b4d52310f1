"""The moves of the house's bots, through the same service as a player's.

`Match.bot_at` says since when a match waits for its bot: the row, not the queue, drives the work. A bot waits before it
plays (games.bots.thinking_time), and never blocks its worker: called too early it returns how much later to call.
"""

from __future__ import annotations

import logging
from datetime import timedelta
from functools import lru_cache

from accounts.models import User
from games import bots, events
from games.bots.engine import DRAW
from games.bots.seeded_random import SeededRandom
from games.bots.thinking_time import thinking_seconds
from games.database import now
from games.engine import Side
from games.errors import Refused
from games.models import Match
from games.replay import State
from games.services.play import match_act

log = logging.getLogger(__name__)

MIN_WAIT = 0.05
"""Seconds; a shorter wait is not worth another call."""


def bots_claim(*, patience: timedelta, most: int = 50) -> list[str]:
    """Claim the matches whose bot has not acted for longer than `patience`.

    Each claim is a conditional update, so two sweeps never claim the same match twice.
    """
    moment = now()
    waiting = Match.objects.filter(bot_at__lt=moment - patience).values_list("pk", "bot_at")[:most]
    return [pk for pk, since in waiting if Match.objects.filter(pk=pk, bot_at=since).update(bot_at=moment)]


def bot_act(*, match_id: str) -> float | None:
    """Play one action of the house's bot in this match, if it is its turn and it has waited for long enough.

    Returns the seconds after which to call again, or None when there is nothing more to do for this call.
    """
    match = Match.objects.filter(pk=match_id, bot_at__isnull=False).prefetch_related("seats__user").first()
    if match is None or match.bot_at is None:
        return None
    state = events.state_of(match)
    for seat in match.seats.all():
        if seat.user is None or not seat.user.is_house_bot or not state.awaits(seat.side):
            continue
        decision = _cached_decision(match.pk, match.version, seat.user.strength, seat.side)
        if decision is None:
            continue
        left = (match.flag_at - now()).total_seconds() if match.clock and match.flag_at else None
        thinking = thinking_seconds(decision, seeded=SeededRandom(_seed(match.pk, match.version)), left=left)
        wait = thinking - (now() - match.bot_at).total_seconds()
        if wait > MIN_WAIT:
            return wait
        _play(match, seat.user, decision.action)
    return None


def _play(match: Match, bot: User, action: str) -> None:
    client_id = f"bot-{match.version}"
    try:
        match_act(match_id=match.pk, user_id=bot.pk, action=action, client_id=client_id, after=match.version)
    except Refused as refusal:
        log.info("bot in %s: %s", match.pk, refusal.code)


@lru_cache(maxsize=256)
def _cached_decision(match_id: str, version: int, level: int | None, side: Side) -> bots.Decision | None:
    """The bot's decision at this version; None when it has nothing to do, or no engine.

    Cached only so that a bot does not search the same position twice: the decision would be the same.
    """
    match = Match.objects.filter(pk=match_id, version=version).first()
    player = None if match is None else bots.player_for(match.variant, level)
    return None if match is None or player is None else _decision(events.state_of(match), player, side, match)


def _decision(state: State, player: bots.Player, side: Side, match: Match) -> bots.Decision | None:
    position, score = state.position, state.score.view()
    if state.offer is not None and state.offer.seat != side:
        level = DRAW if state.offer.draw else state.offer.level
        return bots.Decision("accept" if player.accepts(position, score, side, level) else "reject")
    if state.opening or state.roller:
        return bots.Decision("roll")
    return player.decide(position, score, side, seed=_seed(match.pk, match.version))


def _seed(match_id: str, version: int) -> str:
    return f"{match_id}:{version}"
