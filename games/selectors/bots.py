"""What a member's bot has to do, out of the rows: told again and again until it is done, so no word can be lost."""

from __future__ import annotations

from games import events
from games.database import now
from games.engine import Json, Side
from games.models import Match, Seat
from games.replay import State

MOST_EVENTS = 50


def news(*, bot_id: int) -> list[Json]:
    """The challenges that wait for this bot's answer, and the matches that wait for its act, the oldest first.

    An adjourned match whose other player wants to go on waits for its wish.
    """
    offered = Match.objects.filter(invited=bot_id, status=Match.Status.OPEN, arranged=False).select_related("creator")
    seated = Seat.objects.filter(user=bot_id).values("match")
    playing = Match.objects.filter(pk__in=seated, status=Match.Status.LIVE).prefetch_related("seats__user")
    told = [
        {**events.challenged(match), "clock": match.clock_preset, "rated": match.rated, "options": match.options}
        for match in offered.order_by("created_at")[:MOST_EVENTS]
    ]
    for match in playing.order_by("started_at")[:MOST_EVENTS]:
        told += [turn for seat in match.seats.all() if seat.user_id == bot_id and (turn := _turn(match, seat))]
    return told


def _turn(match: Match, seat: Seat) -> Json | None:
    side: Side = seat.side  # type: ignore[assignment]
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
    """The wish of the other player to go on with an adjourned match, which `go-on` answers."""
    wishes = (events.pause_json(match, now()) or {}).get("ready", [])
    other = next(each for each in match.seats.all() if each.pk != seat.pk)
    return events.wants_to_go_on(match, other.name) if other.side in wishes and seat.side not in wishes else None


def _actions(state: State, side: Side) -> list[str]:
    """Everything that moves the match on: answers to an offer, a roll, or what the rules call legal."""
    if state.offer is not None and state.offer.seat != side:
        return ["accept", "reject"]
    if state.opening or state.roller == side:
        return ["roll"]
    return list(state.position.actions())
