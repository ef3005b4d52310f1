"""Undoing and redoing what was done in a tournament: nothing is deleted, and what is undone can be redone."""

from __future__ import annotations

from collections.abc import Collection
from typing import Literal

from django.db import transaction
from django.utils.translation import gettext as _

from accounts.models import User
from tournaments import acts
from tournaments.errors import Refused
from tournaments.fold import Event
from tournaments.formats.core import Key
from tournaments.services.desk import Desk, events_of


def act_undo(*, tournament_id: str, user: User, act: int, agreed: Collection[Key] | None = None) -> None:
    """Take an act out of the tournament, whoever did it and whatever came after it.

    The tournament is then as if the act had never been: what needed it changes nothing either. Pairings that would be
    reset are those that the director has agreed to, and no others; their results come back with the act.

    Raises Refused: not_director, no_act, not_undoable, undone_already, by_itself (the site would do the same again at
    once); Affects.
    """
    with transaction.atomic():
        desk, events = _act(tournament_id, user, act)
        if act in acts.undone(events):
            raise Refused("undone_already")
        _rewrite(desk, "undone", user, act, agreed, acts.keys_of(events, act))
        gone = [event for event in events if event.act == act]
        # What the site did by itself and a director took back it does not do again at its next round.
        late = [event.data["key"] for event in gone if event.kind == "penalised"]
        desk.tournament.meetings.filter(key__in=late).update(no_show_at=None)


def act_redo(*, tournament_id: str, user: User, act: int, agreed: Collection[Key] | None = None) -> None:
    """Put an undone act back where it was: of two results of the same two, the one that was told last counts.

    Raises Refused: not_director, no_act, not_undone; Affects.
    """
    with transaction.atomic():
        desk, events = _act(tournament_id, user, act)
        if act not in acts.undone(events):
            raise Refused("not_undone")
        _rewrite(desk, "redone", user, act, agreed, acts.keys_of(events, act))


def _act(tournament_id: str, user: User, act: int) -> tuple[Desk, list[Event]]:
    """The locked desk, and everything that happened."""
    desk = Desk.lock(tournament_id)
    desk.need_director(user)
    events = events_of(desk.tournament)
    kinds = [event.kind for event in events if event.act == act]
    if not kinds:
        raise Refused("no_act")
    if not acts.undoable(kinds):
        raise Refused("not_undoable")
    return desk, events


def _rewrite(
    desk: Desk,
    kind: Literal["undone", "redone"],
    user: User,
    act: int,
    agreed: Collection[Key] | None,
    told: Collection[Key],
) -> None:
    desk.rewrite(kind, user, act=act)
    changed = desk.state != desk.before
    desk.need_agreement(agreed, told=told)
    desk.advance()
    if changed and desk.state == desk.before:
        raise Refused("by_itself")
    desk.commit(_("an entry was undone") if kind == "undone" else _("an entry was restored"))
