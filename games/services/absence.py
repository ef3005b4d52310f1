"""An opponent who is away: claiming the match, adjourning it, and going on with it later (ruling "Match clock").

Only the rows decide who is away (`games.absence`), and only while the match waits for the absent player alone. Claiming
and adjourning are actions of the server, ``absent black`` and ``adjourn``, with the id from the player's page.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from django.db import IntegrityError, transaction

from games import events, notify
from games.absence import AWAY_AFTER, ready_sides
from games.engine import SIDES, Side, opponent
from games.errors import Refused, Stale
from games.frames import check_client_id
from games.models import Action, Seat
from games.services import presence
from games.services.locked_match import LockedMatch, match_step
from games.services.play import Answer, answer_of

Step = Callable[[LockedMatch, Side], None]


def match_claim(*, match_id: str, user_id: int | None, client_id: str) -> Answer:
    """Win the match because the opponent is away; a money session ends at its points (B16). Idempotent by id.

    Raises NotFound, Stale, Refused: bad_id, not_live, not_seated, match_over, time_up, paused, not_away, away_turn,
    id_reused.
    """

    def claim(locked: LockedMatch, side: Side) -> None:
        locked.charge_clock()
        locked.step("server", f"absent {opponent(side)}", client_id=client_id, asked="claim")
        locked.run_automatic_actions()

    return _step_while_away("claim", claim, match_id=match_id, user_id=user_id, client_id=client_id)


def match_adjourn(*, match_id: str, user_id: int | None, client_id: str) -> Answer:
    """Stop the clocks because the opponent is away, until both want to go on. Idempotent by id.

    Raises as `match_claim` does, and Refused("no_adjourn") where the organisers want it played in one sitting.
    """

    def adjourn(locked: LockedMatch, side: Side) -> None:
        if not locked.match.adjournable:
            raise Refused("no_adjourn", ruling="T")
        name = next(seat.name for seat in locked.seats if seat.side == side)
        locked.pause("adjourn", client_id=client_id, by=name, adjourned=True, ready={})
        notify.lobby_changed()

    return _step_while_away("adjourn", adjourn, match_id=match_id, user_id=user_id, client_id=client_id)


def match_go_on(*, match_id: str, user_id: int | None) -> Answer:
    """Ask to go on with an adjourned match: it goes on when both players have asked and are present.

    A request lapses after ten minutes, and when its player leaves the match. In a match in play nothing changes.
    Raises NotFound, Refused: not_live, not_seated, match_over, not_adjourned.
    """
    with transaction.atomic():
        locked = LockedMatch.lock(match_id)
        seat, match = locked.seat_of(user_id), locked.match
        if locked.state.result is not None:
            raise Refused("match_over")
        if not locked.state.paused:
            return Answer(match.version)
        if match.pause is None or not match.pause.get("adjourned"):
            raise Refused("not_adjourned", ruling="T")
        other = next(each for each in locked.seats if each is not seat)
        Seat.objects.filter(pk=seat.pk).update(seen_at=locked.moment)
        _record_request(locked, seat, other)
        if len(match.pause["ready"]) == len(SIDES):
            locked.resume()
            locked.commit()
        else:
            match.save(update_fields=["pause"])
            notify.match_state(match.pk, events.build_event(match, locked.seats, locked.state, moment=locked.moment))
            if other.user_id is not None:
                notify.notify_user(other.user_id, events.resume_message(match, seat.name))
        notify.lobby_changed()
    return Answer(match.version)


def _record_request(locked: LockedMatch, seat: Seat, other: Seat) -> None:
    """Store in the pause that this seat wants to go on, beside the request of the other one if that still stands."""
    pause = locked.match.pause or {}
    standing = {other.side: pause["ready"][other.side]} if _wants_to_go_on(locked, other) else {}
    locked.match.pause = {**pause, "ready": {**standing, seat.side: locked.moment.isoformat()}}


def _wants_to_go_on(locked: LockedMatch, seat: Seat) -> bool:
    """Whether the player of this seat has asked to go on, and is still at the match."""
    requests = {side: at for side, at in (locked.match.pause or {})["ready"].items() if side == seat.side}
    seen: datetime | None = Seat.objects.values_list("seen_at", flat=True).get(pk=seat.pk)
    present = seen is not None and locked.moment - seen <= AWAY_AFTER
    return present and bool(ready_sides(requests, locked.moment))


def _step_while_away(verb: str, step: Step, *, match_id: str, user_id: int | None, client_id: str) -> Answer:
    """A step of the player who is present. A retry is refused, as the match has moved on, and gets its first answer."""
    check_client_id(client_id)

    def checked(locked: LockedMatch, side: Side) -> None:
        _check_opponent_away(locked, side)
        step(locked, side)
        locked.commit()

    try:
        locked, expired = match_step(match_id, user_id, checked)
        return answer_of(locked, expired)
    except (Refused, IntegrityError) as error:
        if (first := _first_answer(verb, match_id, user_id, client_id)) is not None:
            return first
        if isinstance(error, IntegrityError):
            raise Stale from error
        raise


def _check_opponent_away(locked: LockedMatch, side: Side) -> None:
    """Whether the opponent of `side` has been away for long enough, and the match waits for them alone."""
    if locked.state.result is not None:
        raise Refused("match_over")
    if locked.state.paused:
        raise Refused("paused", ruling="T")
    absence = presence.absence_of(locked.match, opponent(side), locked.moment)
    if absence is None or not absence.is_over(locked.moment):
        raise Refused("not_away", ruling="T")
    if not presence.waits_for(locked.match, opponent(side)):
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
