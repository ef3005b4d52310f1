"""Getting on a ladder and off it, vacations, and what a director puts right."""

from __future__ import annotations

from datetime import timedelta

from django.db import transaction

from accounts.models import User
from games import ladders
from games.errors import Refused
from games.models import Ladder, LadderChallenge, Match
from games.services.ladders.desk import Desk

LONGEST_REASON = 200


def ladder_join(*, ladder_id: str, user: User) -> None:
    """Take the place at the bottom. To join again changes nothing.

    Raises NotFound, Refused: ladder_closed, ladder_by_rating, ladder_members.
    """
    with transaction.atomic():
        desk = Desk.lock(ladder_id)
        if desk.ladder.kind == Ladder.Kind.RATING:
            raise Refused("ladder_by_rating")
        desk.check_open()
        desk.check_member(user)
        if user.pk not in desk.state.rows:
            desk.record("joined", user, player=user.pk)
            desk.commit()


def ladder_leave(*, ladder_id: str, user: User) -> None:
    """Give one's place up. Who leaves loses the challenges that he was called to or has agreed to (L11).

    Raises NotFound, Refused: ladder_not_on, ladder_in_play.
    """
    with transaction.atomic():
        desk = Desk.lock(ladder_id)
        desk.check_on(user)
        for one in desk.open_calls(user):
            match = one.match and Match.objects.select_for_update().get(pk=one.match.pk)
            if match is not None and match.status not in (Match.Status.OPEN, Match.Status.CANCELLED):
                raise Refused("ladder_in_play", ruling="L11")
            mine = one.challenger_id == user.pk
            lapses = mine and one.status == LadderChallenge.Status.OFFERED and desk.config.kind != "hill"
            rival = one.defender_id if mine else one.challenger_id
            status = LadderChallenge.Status.DROPPED if lapses else LadderChallenge.Status.FORFEIT
            desk.end(one, status, winner=None if lapses else rival)
            desk.record(
                "withdrawn" if mine else "declined",
                user,
                challenge=one.pk,
                challenger=one.challenger_id,
                defender=one.defender_id,
                loser=None if lapses else user.pk,
            )
        desk.record("left", user, player=user.pk)
        desk.commit()


def ladder_away(*, ladder_id: str, user: User, days: int) -> None:
    """Go on vacation: nobody calls him, and the deadlines of his challenges wait as long (L5).

    Raises NotFound, Refused: ladder_not_on, ladder_away, ladder_vacation (`left`).
    """
    with transaction.atomic():
        desk = Desk.lock(ladder_id)
        row = desk.check_on(user)
        desk.check_open()
        if row.away(desk.moment):
            raise Refused("ladder_away")
        left = int(desk.config.vacation_days - row.away_days)
        if type(days) is not int or not 1 <= days <= left:
            raise Refused("ladder_vacation", ruling="L5", params={"left": max(0, left)})
        desk.postpone(timedelta(days=days), user)
        desk.record("away", user, player=user.pk, days=days)
        desk.commit()


def ladder_back(*, ladder_id: str, user: User) -> None:
    """Come back from a vacation, or from the ice; the deadlines that waited run again. Otherwise nothing changes."""
    with transaction.atomic():
        desk = Desk.lock(ladder_id)
        row = desk.check_on(user)
        if row.away_until is None and not row.frozen:
            return
        come_back(desk, user)
        desk.commit()


def come_back(desk: Desk, user: User, *, by_itself: bool = False) -> None:
    """The step of `ladder_back` on a locked ladder: also of a vacation that has ended."""
    row = desk.state.rows[user.pk]
    left = row.away_until - desk.moment if row.away_until is not None else timedelta(0)
    if left > timedelta(0):
        desk.postpone(-left, user)
    desk.record("thawed" if row.away_until is None else "back", None if by_itself else user, player=user.pk)


# The director


def ladder_place(*, ladder_id: str, by: User, user: User, to: int, reason: str = "") -> None:
    """Put a player at a place. Raises NotFound, Refused: ladder_not_director, ladder_not_on, ladder_by_points,
    ladder_place (`last`)."""
    with transaction.atomic():
        desk = Desk.lock(ladder_id)
        desk.check_director(by)
        desk.check_on(user)
        if desk.config.kind == "season":
            raise Refused("ladder_by_points", ruling="L8")
        last = len(desk.state.order)
        if type(to) is not int or not 1 <= to <= last:
            raise Refused("ladder_place", params={"last": last})
        if desk.state.place(user.pk) != to:
            desk.record("placed", by, player=user.pk, to=to, reason=reason[:LONGEST_REASON])
            desk.commit()


def ladder_undo(*, ladder_id: str, by: User, n: int, reason: str = "") -> None:
    """Undo an event of this season: the ladder is as if it had never been, with all that came after it (L10).

    Raises NotFound, Refused: ladder_not_director, ladder_no_undo.
    """
    _again(ladder_id, by, "undo", n, reason)


def ladder_redo(*, ladder_id: str, by: User, n: int, reason: str = "") -> None:
    """Let an event that was undone count again. Raises NotFound, Refused: ladder_not_director, ladder_no_undo."""
    _again(ladder_id, by, "redo", n, reason)


def _again(ladder_id: str, by: User, type_: str, n: int, reason: str) -> None:
    with transaction.atomic():
        desk = Desk.lock(ladder_id)
        desk.check_director(by)
        event = desk.ladder.events.filter(n=n, season=desk.ladder.season).exclude(type="season").first()
        gone = ladders.undone(
            {"type": kind, "undone": payload.get("undone")}
            for kind, payload in desk.ladder.events.filter(type__in=("undo", "redo"))
            .order_by("n")
            .values_list("type", "payload")
        )
        if event is None or not can_be_undone(event.type, event.payload) or (n in gone) == (type_ == "undo"):
            raise Refused("ladder_no_undo", ruling="L10")
        desk.record(type_, by, undone=n, reason=reason[:LONGEST_REASON])
        desk.commit()


def can_be_undone(type_: str, payload: dict[str, object]) -> bool:
    """Whether an event had an effect that a director may take back."""
    if type_ not in ladders.UNDOABLE:
        return False
    return type_ in ("result", "decided", "dropped", "placed") or payload.get("loser") is not None
