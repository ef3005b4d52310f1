"""The pending events of a user's bot, read from the rows: repeated until they are handled, so none can be lost."""

from __future__ import annotations

from games import events
from games.database import now
from games.engine import Json, Side
from games.models import Match, Seat
from games.replay import State

MOST_EVENTS = 50


def pending_events(*, bot_id: int) -> list[Json]:
    """The challenges that wait for the bot's answer, and the matches that wait for its action, the oldest first.

    An adjourned match is included once the other player has asked to resume it.
    """
    offered = Match.objects.filter(invited=bot_id, status=Match.Status.OPEN, arranged=False).select_related("creator")
    seated = Seat.objects.filter(user=bot_id).values("match")
    playing = Match.objects.filter(pk__in=seated, status=Match.Status.LIVE).prefetch_related("seats__user")
    pending = [
        {**events.challenge_message(match), "clock": match.clock_preset, "rated": match.rated, "options": match.options}
        for match in offered.order_by("created_at")[:MOST_EVENTS]
    ]
    for match in playing.order_by("started_at")[:MOST_EVENTS]:
        pending += [turn for seat in match.seats.all() if seat.user_id == bot_id and (turn := _turn(match, seat))]
    return pending


def _turn(match: Match, seat: Seat) -> Json | None:
    side = seat.side
    if match.pause is not None:
        return _resume(match, seat)
    state = events.state_of(match)
    if not state.awaits(side):
        return None
    return {
        "t": "turn",
        "id": match.pk,
        "version": match.version,
        "variant": match.variant,
        "you": side,
        "actions": _actions(state, side),
    }


def _resume(match: Match, seat: Seat) -> Json | None:
    """The other player's request to resume an adjourned match, which `go-on` answers."""
    ready = (events.pause_json(match, now()) or {}).get("ready", [])
    other = next(each for each in match.seats.all() if each.pk != seat.pk)
    return events.resume_message(match, other.name) if other.side in ready and seat.side not in ready else None


def _actions(state: State, side: Side) -> list[str]:
    """The actions that continue the match: answers to an offer, a roll, or the legal actions."""
    if state.offer is not None and state.offer.seat != side:
        return ["accept", "reject"]
    if state.opening or state.roller == side:
        return ["roll"]
    return list(state.position.actions())
