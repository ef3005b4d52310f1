"""Announcing what happened in a match after the commit: to sockets, bots, players by correspondence and other apps."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from django.db import transaction

from games import notify
from games.clocks import PRESETS
from games.events import build_event
from games.models import Action, Match, Seat
from games.replay import State
from games.services import correspondence
from games.signals import match_finished


def announce_event(
    match: Match,
    seats: Sequence[Seat],
    state: State,
    *,
    moment: datetime,
    version_before: int,
    state_before: State | None,
    actions: Sequence[Action],
) -> None:
    """Announce new actions; `state_before` is None where the match begins."""
    event = build_event(match, seats, state, moment=moment, before=version_before, actions=actions)
    notify.match_event(match.pk, event)
    if match.bot_at is not None:
        notify.enqueue_bot_act(match.pk)
    for seat in bots_due(seats, state, house=False):
        notify.notify_user(seat.user_id or 0, {"t": "turn", "id": match.pk, "version": match.version})
    if PRESETS[match.clock_preset].slow:
        acted = {row.actor for row in actions}
        correspondence.notify_players(match, seats, before=state_before, state=state, acted=acted)
    if state.result is not None:
        transaction.on_commit(lambda: _send_finished(match.pk))
        notify.lobby_changed()


def announce_state(match: Match, seats: Sequence[Seat], state: State, *, moment: datetime) -> None:
    """Announce a change without an action: everyone at the match gets the state."""
    notify.match_state(match.pk, build_event(match, seats, state, moment=moment))


def bots_due(seats: Sequence[Seat], state: State, *, house: bool) -> list[Seat]:
    """The bots for which the match waits: those that the house moves, or those of members, which are notified."""
    bots = (seat for seat in seats if seat.user and seat.user.is_bot and seat.user.is_house_bot is house)
    return [seat for seat in bots if state.awaits(seat.side)]


def _send_finished(match_id: str) -> None:
    match_finished.send_robust(sender=Match, match_id=match_id)
