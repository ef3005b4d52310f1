"""Undoing and redoing acts of a tournament: nothing is deleted, and what is undone can be redone."""

from __future__ import annotations

from collections.abc import Collection
from typing import Literal

from django.db import transaction
from django.utils.translation import gettext as _

from accounts.models import User
from tournaments import undo
from tournaments.errors import AffectsPairings, Refused
from tournaments.formats.core import Key
from tournaments.models import TournamentEvent
from tournaments.roles import DeskAct
from tournaments.services.transaction import TournamentTransaction, load_events
from tournaments.state import Event


def act_undo(*, tournament_id: str, user: User, act: int, agreed: Collection[Key] | None = None) -> None:
    """Take an act out of the tournament, whoever did it and whatever came after it.

    The tournament is then as if the act had never been: later acts that depend on it change nothing either. Pairings
    that would be reset are those that the director has agreed to, and no others; their results come back with the act.

    Who may not undo everything can undo a result that they entered themselves, as long as it is the last one of its
    pairing and no other pairing would be reset.

    Raises Refused: not_director, not_official, no_act, not_undoable, undone_already, by_itself (the site would do the
    same again at once), resets_others; AffectsPairings.
    """
    with transaction.atomic():
        tx, events = _load_act(tournament_id, user, act, own=True)
        if act in undo.undone_acts(events):
            raise Refused("undone_already")
        may_reset = tx.may(user, DeskAct.UNDO)
        try:
            _rewrite(tx, "undone", user, act, agreed if may_reset else None, undo.result_keys(events, act))
        except AffectsPairings as error:
            if may_reset:
                raise
            raise Refused("resets_others") from error
        # A penalty that the site gave and a director undid is not given again at the next sweep.
        penalised = [event.data["key"] for event in events if event.act == act and event.kind == "penalised"]
        tx.tournament.meetings.filter(key__in=penalised).update(no_show_at=None)


def act_redo(*, tournament_id: str, user: User, act: int, agreed: Collection[Key] | None = None) -> None:
    """Put an undone act back where it was: of two results of the same pairing, the later one counts.

    Raises Refused: not_director, no_act, not_undone; AffectsPairings.
    """
    with transaction.atomic():
        tx, events = _load_act(tournament_id, user, act)
        if act not in undo.undone_acts(events):
            raise Refused("not_undone")
        _rewrite(tx, "redone", user, act, agreed, undo.result_keys(events, act))


def _load_act(
    tournament_id: str, user: User, act: int, *, own: bool = False
) -> tuple[TournamentTransaction, list[Event]]:
    """The locked tournament and all its events; `own`: users may undo their own results.

    Raises Refused: not_director, not_official, no_act, not_undoable.
    """
    tx = TournamentTransaction.lock(tournament_id)
    is_own = own and _is_own_result(tx, user, act)
    tx.check_act(user, DeskAct.UNDO_OWN_RESULTS if is_own else DeskAct.UNDO)
    events = load_events(tx.tournament)
    kinds = [event.kind for event in events if event.act == act]
    if not kinds:
        raise Refused("no_act")
    if not undo.is_undoable(kinds):
        raise Refused("not_undoable")
    return tx, events


def _is_own_result(tx: TournamentTransaction, user: User, act: int) -> bool:
    """Whether an act is a result that a user entered for others, and no later one stands in its place."""
    results = TournamentEvent.objects.filter(tournament=tx.tournament, kind="result")
    entered = results.filter(act=act, by=user).first()
    if entered is None or entered.data.get("corrects"):
        return False
    own_numbers = {entrant.number for entrant in tx.entrants.values() if entrant.user_id == user.pk}
    if own_numbers & set(entered.data.get("of", ())):
        return False
    return not results.filter(n__gt=entered.n, data__key=entered.data["key"]).exists()


def _rewrite(
    tx: TournamentTransaction,
    kind: Literal["undone", "redone"],
    user: User,
    act: int,
    agreed: Collection[Key] | None,
    rewritten: Collection[Key],
) -> None:
    tx.rewrite(kind, user, act=act)
    changed = tx.state != tx.before
    tx.check_agreement(agreed, rewritten=rewritten)
    tx.advance()
    if changed and tx.state == tx.before:
        raise Refused("by_itself")
    tx.commit(_("a log entry was undone") if kind == "undone" else _("a log entry was restored"))
