"""By correspondence the players are elsewhere: what they are told of a match when something has happened in it."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from games import events, notify, replay
from games.models import Match, Seat


def tell(
    match: Match, seats: Sequence[Seat], *, was: replay.State | None, state: replay.State, acted: Collection[str]
) -> None:
    """Whose turn it has become, whose it is no more, and, to who did not end it himself, that the match is over.

    `was` is the state before, None where the match begins; `acted` are those who did something.
    """
    for seat in seats:
        if seat.user is None or seat.user.is_bot:
            continue
        due = state.awaits(seat.side)  # type: ignore[arg-type]
        was_due = was is not None and was.awaits(seat.side)  # type: ignore[arg-type]
        if due and not was_due:
            notify.user_told(seat.user.pk, events.your_move(match, seats, seat.user.pk))
        elif was_due and not due:
            notify.user_told(seat.user.pk, events.moved(match))
        if state.result is not None and seat.side not in acted:
            notify.user_told(seat.user.pk, events.over(match, seats, seat.user.pk))
