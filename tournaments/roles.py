"""The roles at one tournament, and what each may do at its desk: the one table that services and pages ask."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from django.db import models
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from tournaments.errors import Refused


class Role(models.TextChoices):
    """The roles of officials, each with the rights of those before it."""

    SCOREKEEPER = "scorekeeper", _("Scorekeeper")
    REFEREE = "referee", _("Referee")
    DIRECTOR = "director", pgettext_lazy("a role at a tournament", "Director")


class DeskAct(StrEnum):
    """What is done at the desk of a tournament."""

    VIEW_DESK = "view_desk"
    ENTER_RESULTS = "enter_results"
    UNDO_OWN_RESULTS = "undo_own_results"
    GIVE_PENALTIES = "give_penalties"
    WRITE_RULINGS = "write_rulings"
    CORRECT_RESULTS = "correct_results"
    UNDO = "undo"
    DISMISS_ALERTS = "dismiss_alerts"
    MANAGE_ENTRANTS = "manage_entrants"
    SEED = "seed"
    DRAW = "draw"
    RUN_ROUNDS = "run_rounds"
    PAUSE_MATCHES = "pause_matches"
    ASSIGN_BOARDS = "assign_boards"
    ANNOUNCE = "announce"
    CHANGE_SETTINGS = "change_settings"
    SET_PRIZES = "set_prizes"
    CANCEL = "cancel"
    APPOINT = "appoint"
    TAKE_TO_VENUE = "take_to_venue"
    REPORT = "report"


LEAST_ROLE: Mapping[DeskAct, Role] = {
    DeskAct.VIEW_DESK: Role.SCOREKEEPER,
    DeskAct.ENTER_RESULTS: Role.SCOREKEEPER,
    DeskAct.UNDO_OWN_RESULTS: Role.SCOREKEEPER,
    DeskAct.GIVE_PENALTIES: Role.REFEREE,
    DeskAct.WRITE_RULINGS: Role.REFEREE,
    DeskAct.CORRECT_RESULTS: Role.DIRECTOR,
    DeskAct.UNDO: Role.DIRECTOR,
    DeskAct.DISMISS_ALERTS: Role.DIRECTOR,
    DeskAct.MANAGE_ENTRANTS: Role.DIRECTOR,
    DeskAct.SEED: Role.DIRECTOR,
    DeskAct.DRAW: Role.DIRECTOR,
    DeskAct.RUN_ROUNDS: Role.DIRECTOR,
    DeskAct.PAUSE_MATCHES: Role.DIRECTOR,
    DeskAct.ASSIGN_BOARDS: Role.DIRECTOR,
    DeskAct.ANNOUNCE: Role.DIRECTOR,
    DeskAct.CHANGE_SETTINGS: Role.DIRECTOR,
    DeskAct.SET_PRIZES: Role.DIRECTOR,
    DeskAct.CANCEL: Role.DIRECTOR,
    DeskAct.APPOINT: Role.DIRECTOR,
    DeskAct.TAKE_TO_VENUE: Role.DIRECTOR,
    DeskAct.REPORT: Role.DIRECTOR,
}
"""The least role that may do an act. An act that is not named here is refused to everybody."""

RANKS = {role.value: rank for rank, role in enumerate(Role)}
REFUSALS = {Role.SCOREKEEPER: "not_official", Role.REFEREE: "not_referee", Role.DIRECTOR: "not_director"}
FORBIDDEN = frozenset(REFUSALS.values())
"""The codes of refusals that say which role is missing."""


def may(role: str | None, act: DeskAct) -> bool:
    """Whether somebody with this role (None: without one) may do an act."""
    least = LEAST_ROLE.get(act)
    return role in RANKS and least is not None and RANKS[role] >= RANKS[least]


def acts_of(role: str | None) -> frozenset[DeskAct]:
    """Everything that a role may do."""
    return frozenset(act for act in DeskAct if may(role, act))


def check(role: str | None, act: DeskAct) -> Role:
    """The role, if it may do an act.

    Raises Refused: not_official, not_referee, not_director, by the least role that the act needs.
    """
    if role is None or not may(role, act):
        raise Refused(REFUSALS[LEAST_ROLE.get(act, Role.DIRECTOR)])
    return Role(role)
