"""Playing: one action of a player, and the deadlines that fall without him."""

from __future__ import annotations

import re
from dataclasses import dataclass

from django.db import IntegrityError, transaction

from games import events, meters, notify
from games.database import now
from games.errors import Refused, Stale
from games.models import Action, Match, Seat
from games.services.table import Table

CLIENT_ID = re.compile(r"[A-Za-z0-9-]{1,40}")
ELEMENT = re.compile(r"[0-9a-f]{64}")
LONGEST_ACTION = 100


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
    trip: int = 0,
) -> Answer:
    """Carry out one action of the player `user_id` and answer once it is committed.

    Lock the match; the same `client_id` again gets its first answer; a passed deadline is carried out first; an act on
    an old version is Stale, and by correspondence nobody resigns without one; then the rules decide. `trip` is the
    round trip to the player that was measured, in milliseconds (games.lag). Raises Refused, and then nothing of this
    act was changed.
    """
    _check_form(action, client_id, element)
    try:
        return _act(match_id, user_id, action, client_id, after, element, trip)
    except (Refused, IntegrityError) as error:
        # A retry is refused (the match has moved on since) or collides with its own row: give it its first answer.
        # Looked up only here, because almost no act is a retry.
        if (first := _first_answer(match_id, user_id, client_id, action)) is not None:
            return first
        if isinstance(error, IntegrityError):
            raise Stale from error
        raise


def _act(
    match_id: str, user_id: int | None, action: str, client_id: str, after: int | None, element: str, trip: int
) -> Answer:
    late = False
    with transaction.atomic():
        table = Table.lock(match_id)
        seat = table.seat_of(user_id)
        if table.overdue():
            table.expire()
            late = True
        else:
            if after is not None and after != table.match.version:
                raise Stale
            if after is None and table.preset.slow and action.lstrip().startswith("resign"):
                raise Refused("resign_unseen", ruling="B15")  # it may come days late, into another game
            table.act(seat.side, action, client_id=client_id, element=element, trip=trip)  # type: ignore[arg-type]
        table.commit()
    if late:
        raise Refused("time_up") if table.state.result is not None else Stale
    return Answer(table.match.version)


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
    """Carry out a passed deadline, if there is one, and give the version. Harmless however often it runs."""
    late = None
    with transaction.atomic():
        table = Table.lock(match_id)
        if table.overdue():
            late = table.late
            table.expire()
            table.commit()
    if late is not None:
        meters.flag_fell(late)
    return table.match.version


def reminders_send(*, most: int = 200) -> int:
    """Tell the players whose turn by correspondence ends within a day, each once; gives the number of matches."""
    moment = now()
    due = Match.objects.filter(remind_at__lte=moment, status=Match.Status.LIVE)
    sent = 0
    for match in due.prefetch_related("seats__user").order_by("remind_at")[:most]:
        if Match.objects.filter(pk=match.pk, remind_at=match.remind_at).update(remind_at=None):
            sent += 1
            for seat in match.seats.all():
                if seat.user_id is not None and events.awaits(match, seat.side):  # type: ignore[arg-type]
                    notify.user_told(seat.user_id, events.reminder(match, match.seats.all(), seat.user_id))
    return sent


def check_id(client_id: object) -> None:
    """Whether a frame has an id that can be kept. Raises Refused("bad_id")."""
    if not isinstance(client_id, str) or not CLIENT_ID.fullmatch(client_id):
        raise Refused("bad_id")


def _check_form(action: object, client_id: object, element: object) -> None:
    if not isinstance(action, str) or not action.strip() or len(action) > LONGEST_ACTION or not action.isprintable():
        raise Refused("bad_action")
    check_id(client_id)
    if not isinstance(element, str) or (element and not ELEMENT.fullmatch(element)):
        raise Refused("element")
