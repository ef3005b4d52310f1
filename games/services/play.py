"""Playing: one action of a player, the deadlines that pass without them, and reminders of deadlines."""

from __future__ import annotations

from dataclasses import dataclass

from django.db import IntegrityError, transaction

from games import events, metrics, notify, take_back
from games.database import now
from games.engine import Side
from games.errors import Refused, Stale
from games.frames import check_act
from games.models import Action, Match, Seat
from games.services.locked_match import LockedMatch, match_step


@dataclass(frozen=True, slots=True)
class Answer:
    """An acknowledged act: committed, and the version of the match right after it."""

    version: int


def match_act(
    *,
    match_id: str,
    user_id: int | None,
    action: str,
    client_id: str,
    after: int | None = None,
    element: str = "",
    rtt_ms: int = 0,
) -> Answer:
    """Carry out one action of the player `user_id` and answer once it is committed.

    Lock the match; the same `client_id` again gets its first answer; a passed deadline is carried out first; an act on
    an old version is Stale, unless it takes back a play, which it names; by correspondence nobody resigns without a
    version; then the rules decide. `rtt_ms` is the round trip to the player that was measured (games.lag_compensation).
    Raises Refused, and then nothing of this act was changed.
    """
    check_act(action=action, client_id=client_id, element=element)

    def act(locked: LockedMatch, side: Side) -> None:
        if after not in (None, locked.match.version) and take_back.play_of(action) is None:
            raise Stale
        if after is None and locked.preset.slow and action.lstrip().startswith("resign"):
            raise Refused("resign_unseen", ruling="B15")  # it may come days late, into another game
        locked.act(side, action, client_id=client_id, element=element, rtt_ms=rtt_ms)
        locked.commit()

    try:
        locked, expired = match_step(match_id, user_id, act)
        return answer_of(locked, expired)
    except (Refused, IntegrityError) as error:
        # A retry is refused (the match has moved on since) or collides with its own row: give it its first answer.
        # Looked up only here, because almost no act is a retry.
        if (first := _first_answer(match_id, user_id, client_id, action)) is not None:
            return first
        if isinstance(error, IntegrityError):
            raise Stale from error
        raise


def answer_of(locked: LockedMatch, expired: bool) -> Answer:
    """The answer after a step. Raises Stale, Refused("time_up") where a passed deadline came before it."""
    if expired:
        raise Refused("time_up") if locked.state.result is not None else Stale
    return Answer(locked.match.version)


def _first_answer(match_id: str, user_id: int | None, client_id: str, action: str) -> Answer | None:
    """The answer that this very act already got. Raises Refused("id_reused") when the id stands for another act."""
    seat = Seat.objects.filter(match=match_id, user=user_id).values_list("side")
    row = Action.objects.filter(match=match_id, actor__in=seat, client_id=client_id).only("asked", "answer").first()
    if row is None:
        return None
    if row.asked != action or row.answer is None:
        raise Refused("id_reused")
    return Answer(row.answer)


def match_touch(*, match_id: str) -> int:
    """Carry out a passed deadline, if there is one, and return the version. Idempotent.

    Only when a heartbeat after the deadline says that the site served until then.
    """
    overdue_by = None
    with transaction.atomic():
        locked = LockedMatch.lock(match_id)
        if locked.is_overdue and locked.served_at_deadline:
            overdue_by = locked.overdue_by
            locked.expire()
            locked.commit()
    if overdue_by is not None:
        metrics.record_flag_delay(overdue_by)
    return locked.match.version


def reminders_send(*, most: int = 200) -> int:
    """Remind the players whose turn by correspondence ends within a day, each once; returns the number of matches."""
    moment = now()
    due = Match.objects.filter(remind_at__lte=moment, status=Match.Status.LIVE)
    sent = 0
    for match in due.prefetch_related("seats__user").order_by("remind_at")[:most]:
        if Match.objects.filter(pk=match.pk, remind_at=match.remind_at).update(remind_at=None):
            sent += 1
            for seat in match.seats.all():
                if seat.user_id is not None and events.awaits(match, seat.side):
                    notify.notify_user(seat.user_id, events.reminder_message(match, match.seats.all(), seat.user_id))
    return sent
