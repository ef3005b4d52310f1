"""Joining a ladder and leaving it, vacations, and the corrections of directors."""

from __future__ import annotations

from datetime import timedelta

from django.db import transaction

from accounts.models import User
from games.models import Match
from ladders import rules
from ladders.errors import Refused
from ladders.models import Ladder, LadderChallenge
from ladders.services.transaction import LONGEST_REASON, LadderTransaction, challenge_facts


def ladder_join(*, ladder_id: str, user: User) -> None:
    """Take the last place. Joining again changes nothing.

    Raises NotFound, Refused: ladder_closed, ladder_by_rating, ladder_members.
    """
    with transaction.atomic():
        tx = LadderTransaction.lock(ladder_id)
        if tx.ladder.kind == Ladder.Kind.RATING:
            raise Refused("ladder_by_rating")
        tx.check_open()
        tx.check_member(user)
        if user.pk not in tx.state.rows:
            tx.record("joined", user, player=user.pk)
            tx.commit()


def ladder_leave(*, ladder_id: str, user: User) -> None:
    """Give up a place. A player who leaves loses the challenges that they received or have accepted (L11).

    Raises NotFound, Refused: ladder_not_on, ladder_in_play.
    """
    with transaction.atomic():
        tx = LadderTransaction.lock(ladder_id)
        tx.check_on(user)
        for challenge in tx.open_challenges(user):
            match = challenge.match and Match.objects.select_for_update().get(pk=challenge.match.pk)
            if match is not None and match.status not in (Match.Status.OPEN, Match.Status.CANCELLED):
                raise Refused("ladder_in_play", ruling="L11")
            by_challenger = challenge.challenger_id == user.pk
            lapses = by_challenger and challenge.status == LadderChallenge.Status.OFFERED and tx.config.kind != "hill"
            opponent_id = challenge.defender_id if by_challenger else challenge.challenger_id
            status = LadderChallenge.Status.DROPPED if lapses else LadderChallenge.Status.FORFEIT
            tx.end(challenge, status, winner=None if lapses else opponent_id)
            tx.record(
                "withdrawn" if by_challenger else "declined",
                user,
                **challenge_facts(challenge),
                loser=None if lapses else user.pk,
            )
        tx.record("left", user, player=user.pk)
        tx.commit()


def ladder_away(*, ladder_id: str, user: User, days: int) -> None:
    """Go on vacation: nobody can challenge the player, and the deadlines of their challenges move as long (L5).

    Raises NotFound, Refused: ladder_not_on, ladder_away, ladder_vacation (`left`).
    """
    with transaction.atomic():
        tx = LadderTransaction.lock(ladder_id)
        row = tx.check_on(user)
        tx.check_open()
        if row.away(tx.moment):
            raise Refused("ladder_away")
        left = int(tx.config.vacation_days - row.away_days)
        if type(days) is not int or not 1 <= days <= left:
            raise Refused("ladder_vacation", ruling="L5", params={"left": max(0, left)})
        tx.postpone(timedelta(days=days), user)
        tx.record("away", user, player=user.pk, days=days)
        tx.commit()


def ladder_back(*, ladder_id: str, user: User) -> None:
    """Come back from a vacation, or unfreeze a place; deadlines run again. Otherwise nothing changes."""
    with transaction.atomic():
        tx = LadderTransaction.lock(ladder_id)
        row = tx.check_on(user)
        if row.away_until is None and not row.frozen:
            return
        reactivate(tx, user)
        tx.commit()


def reactivate(tx: LadderTransaction, user: User, *, by_itself: bool = False) -> None:
    """Come back on a locked ladder; `by_itself` when the vacation has ended."""
    row = tx.state.rows[user.pk]
    left = row.away_until - tx.moment if row.away_until is not None else timedelta(0)
    if left > timedelta(0):
        tx.postpone(-left, user)
    tx.record("thawed" if row.away_until is None else "back", None if by_itself else user, player=user.pk)


# The director


def ladder_place(*, ladder_id: str, by: User, user: User, to: int, reason: str = "") -> None:
    """Move a player to another place, as a director.

    Raises NotFound, Refused: ladder_not_director, ladder_not_on, ladder_by_points, ladder_place (`last`).
    """
    with transaction.atomic():
        tx = LadderTransaction.lock(ladder_id)
        tx.check_director(by)
        tx.check_on(user)
        if tx.config.kind == "season":
            raise Refused("ladder_by_points", ruling="L8")
        last = len(tx.state.order)
        if type(to) is not int or not 1 <= to <= last:
            raise Refused("ladder_place", params={"last": last})
        if tx.state.place(user.pk) != to:
            tx.record("placed", by, player=user.pk, to=to, reason=reason[:LONGEST_REASON])
            tx.commit()


def ladder_undo(*, ladder_id: str, by: User, n: int, reason: str = "") -> None:
    """Undo an event of this season: the ladder is folded again without it, with everything that came later (L10).

    Raises NotFound, Refused: ladder_not_director, ladder_no_undo.
    """
    _undo_or_redo(ladder_id, by, "undo", n, reason)


def ladder_redo(*, ladder_id: str, by: User, n: int, reason: str = "") -> None:
    """Restore an event that was undone. Raises NotFound, Refused: ladder_not_director, ladder_no_undo."""
    _undo_or_redo(ladder_id, by, "redo", n, reason)


def _undo_or_redo(ladder_id: str, by: User, type_: str, n: int, reason: str) -> None:
    with transaction.atomic():
        tx = LadderTransaction.lock(ladder_id)
        tx.check_director(by)
        event = tx.ladder.events.filter(n=n, season=tx.ladder.season).exclude(type="season").first()
        undone = rules.undone(
            {"type": kind, "undone": payload.get("undone")}
            for kind, payload in tx.ladder.events.filter(type__in=("undo", "redo"))
            .order_by("n")
            .values_list("type", "payload")
        )
        if event is None or not can_be_undone(event.type, event.payload) or (n in undone) == (type_ == "undo"):
            raise Refused("ladder_no_undo", ruling="L10")
        tx.record(type_, by, undone=n, reason=reason[:LONGEST_REASON])
        tx.commit()


def can_be_undone(type_: str, payload: dict[str, object]) -> bool:
    """Whether an event had an effect that a director can undo."""
    if type_ not in rules.UNDOABLE:
        return False
    return type_ in ("result", "decided", "dropped", "placed") or payload.get("loser") is not None
