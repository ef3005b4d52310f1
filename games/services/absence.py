"""A rival who is away: claiming the match, adjourning it, and going on with it later (ruling "Match clock").

Only the rows decide who is away (`games.absence`), and only while the match waits for the absent player alone. Both
steps are actions of the server, ``absent black`` and ``adjourn``, under the id that the player's page gave them.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from django.db import IntegrityError, transaction

from games import events, notify
from games.absence import AWAY, ready
from games.engine import SIDES, Side, rival
from games.errors import Refused, Stale
from games.models import Action, Seat
from games.services import presence
from games.services.play import Answer, check_id
from games.services.table import Table

Step = Callable[[Table, Side], None]


def match_claim(*, match_id: str, user_id: int | None, client_id: str) -> Answer:
    """Win the match because the rival is away; a money session ends at its points (B16). The same id again: the same.

    Raises NotFound, Stale, Refused: bad_id, not_live, not_seated, match_over, time_up, paused, not_away, away_turn,
    id_reused.
    """

    def claim(table: Table, side: Side) -> None:
        table.spend()
        table.step("server", f"absent {rival(side)}", client_id=client_id, asked="claim")
        table.follow()

    return _by_the_rival("claim", claim, match_id=match_id, user_id=user_id, client_id=client_id)


def match_adjourn(*, match_id: str, user_id: int | None, client_id: str) -> Answer:
    """Stop the clocks because the rival is away, until both want to go on. The same id again: the same.

    Raises as `match_claim` does, and Refused("no_adjourn") where the organisers want it played in one sitting.
    """

    def adjourn(table: Table, side: Side) -> None:
        if not table.match.adjournable:
            raise Refused("no_adjourn", ruling="T")
        name = next(seat.name for seat in table.seats if seat.side == side)
        table.pause("adjourn", client_id=client_id, by=name, adjourned=True, ready={})
        notify.lobby_changed()

    return _by_the_rival("adjourn", adjourn, match_id=match_id, user_id=user_id, client_id=client_id)


def match_go_on(*, match_id: str, user_id: int | None) -> Answer:
    """Say that one wants to go on with an adjourned match: it goes on when both have said so and are there.

    A wish lapses after ten minutes, and when its player leaves the table. In a match that is in play nothing changes.
    Raises NotFound, Refused: not_live, not_seated, match_over, not_adjourned.
    """
    with transaction.atomic():
        table = Table.lock(match_id)
        mine, match = table.seat_of(user_id), table.match
        if table.state.result is not None:
            raise Refused("match_over")
        if not table.state.paused:
            return Answer(match.version)
        if match.pause is None or not match.pause.get("adjourned"):
            raise Refused("not_adjourned", ruling="T")
        other = next(seat for seat in table.seats if seat is not mine)
        Seat.objects.filter(pk=mine.pk).update(seen_at=table.moment)
        said = {side: match.pause["ready"][side] for side in _ready(table, other)}
        match.pause = {**match.pause, "ready": {**said, mine.side: table.moment.isoformat()}}
        if len(match.pause["ready"]) == len(SIDES):
            table.resume()
            table.commit()
        else:
            match.save(update_fields=["pause"])
            notify.match_state(match.pk, events.build(match, table.seats, table.state, moment=table.moment))
            if other.user_id is not None:
                notify.user_told(other.user_id, events.wants_to_go_on(match, mine.name))
        notify.lobby_changed()
    return Answer(match.version)


def _ready(table: Table, seat: Seat) -> list[str]:
    """The side of this seat, as a list, if its player wants to go on and is still at the table."""
    said = {side: at for side, at in (table.match.pause or {})["ready"].items() if side == seat.side}
    seen: datetime | None = Seat.objects.values_list("seen_at", flat=True).get(pk=seat.pk)
    here = seen is not None and table.moment - seen <= AWAY
    return ready(said, table.moment) if here else []


def _by_the_rival(verb: str, step: Step, *, match_id: str, user_id: int | None, client_id: str) -> Answer:
    """A step of the player who is here. A retry is refused, as the match has moved on, and given its first answer."""
    check_id(client_id)
    try:
        return _step(step, match_id, user_id)
    except (Refused, IntegrityError) as error:
        if (first := _first_answer(verb, match_id, user_id, client_id)) is not None:
            return first
        if isinstance(error, IntegrityError):
            raise Stale from error
        raise


def _step(step: Step, match_id: str, user_id: int | None) -> Answer:
    late = False
    with transaction.atomic():
        table = Table.lock(match_id)
        side: Side = table.seat_of(user_id).side  # type: ignore[assignment]
        if late := table.overdue():
            table.expire()
        else:
            _check(table, side)
            step(table, side)
        table.commit()
    if late:
        raise Refused("time_up") if table.state.result is not None else Stale
    return Answer(table.match.version)


def _check(table: Table, side: Side) -> None:
    """Whether the rival of `side` has been away for long enough, and the match waits for him alone."""
    if table.state.result is not None:
        raise Refused("match_over")
    if table.state.paused:
        raise Refused("paused", ruling="T")
    absent = presence.absent(table.match, rival(side), table.moment)
    if absent is None or not absent.over(table.moment):
        raise Refused("not_away", ruling="T")
    if not presence.waits_for(table.match, rival(side)):
        raise Refused("away_turn", ruling="T")


def _first_answer(verb: str, match_id: str, user_id: int | None, client_id: str) -> Answer | None:
    """The answer that this very step already got. Raises Refused("id_reused") when the id stands for another one."""
    if not Seat.objects.filter(match=match_id, user=user_id).exists():
        return None
    row = Action.objects.filter(match=match_id, actor="server", client_id=client_id).only("asked", "answer").first()
    if row is None:
        return None
    if row.asked != verb or row.answer is None:
        raise Refused("id_reused")
    return Answer(row.answer)
