"""Notifications of a match by correspondence, whose players are not at the table when something happens in it."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from games import events, notify, replay
from games.models import Match, Seat


def notify_players(
    match: Match, seats: Sequence[Seat], *, before: replay.State | None, state: replay.State, acted: Collection[str]
) -> None:
    """Notify the players whose turn it has become or no longer is, and of the end of the match those who did not act.

    `before` is the state before, None where the match begins; `acted` are the actors of the new actions.
    """
    for seat in seats:
        if seat.user is None or seat.user.is_bot:
            continue
        due = state.awaits(seat.side)
        was_due = before is not None and before.awaits(seat.side)
        if due and not was_due:
            notify.notify_user(seat.user.pk, events.your_move_message(match, seats, seat.user.pk))
        elif was_due and not due:
            notify.notify_user(seat.user.pk, events.moved_message(match))
        if state.result is not None and seat.side not in acted:
            notify.notify_user(seat.user.pk, events.over_message(match, seats, seat.user.pk))
