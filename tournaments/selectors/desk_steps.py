"""What the director can do next: draw, start, open and pair rounds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from tournaments.errors import Refused
from tournaments.formats.core import Invalid
from tournaments.selectors import labels
from tournaments.selectors.desk_values import NextStep
from tournaments.selectors.tournament_status import unpairable_reason

if TYPE_CHECKING:
    from tournaments.selectors.director_desk import DirectorDesk


def next_steps(desk: DirectorDesk) -> list[NextStep]:
    """The possible next steps; the first is the primary button."""
    if desk.state.phase == "open":
        obstacle = _obstacle(desk)
        note = _player_count_note(desk)
        return [
            NextStep("desk-draw", pgettext("to do", "Make the draw"), note=note, obstacle=obstacle),
            NextStep("desk-start", _("Draw and start"), note=_("Entries close at the draw."), obstacle=obstacle),
        ]
    if desk.state.phase == "drawn":
        return [
            NextStep(
                "desk-start",
                pgettext("to do", "Start"),
                note=_("The draw is done. Start the tournament to open the first matches."),
            )
        ]
    if desk.state.phase == "running" and desk.state.current_break is not None:
        return []
    if desk.state.phase == "running" and desk.state.rules.pace == "hand":
        return _round_steps(desk)
    return []


def _obstacle(desk: DirectorDesk) -> str:
    """Why the draw cannot be made; "" if it can."""
    drawn = desk.active_entrants
    if desk.state.rules.check_in:
        drawn = [entrant for entrant in drawn if entrant.checked_in]
    try:
        desk.state.check_draw([entrant.number for entrant in drawn])
    except Invalid as fault:
        return unpairable_reason(fault, desk.names)
    if desk.state.format.at_once and not any(entrant.seed_rank for entrant in drawn):
        return Refused("no_host").text
    return ""


def _player_count_note(desk: DirectorDesk) -> str:
    number = len(desk.active_entrants)
    players = labels.entrants_label(number, desk.state.rules.config)
    if not desk.state.rules.check_in:
        return players
    return _("%(players)s, %(here)s checked in. Only checked-in players are drawn.") % {
        "players": players,
        "here": desk.checked_in,
    }


def _round_steps(desk: DirectorDesk) -> list[NextStep]:
    """The rounds to open or pair by hand; the same round of all groups or divisions is one step."""
    unopened: dict[tuple[str, int], list[tuple[str, int]]] = {}
    for pairing in desk.state.fixtures:
        section_round = (pairing.section, pairing.round)
        if pairing.state == "ready" and section_round not in desk.state.opened:
            same_round = unopened.setdefault((pairing.section.rpartition("-")[0] or pairing.section, pairing.round), [])
            if section_round not in same_round:
                same_round.append(section_round)
    steps = []
    for (_kind, number), rounds in unopened.items():
        name = desk.round_name(*rounds[0]) if len(rounds) == 1 else _("Round %(n)s") % {"n": number}
        keys = tuple(f"{section} {round_}" for section, round_ in rounds)
        steps.append(NextStep("desk-round", _("Open: %(round)s") % {"round": name}, keys))
    try:
        paired = desk.state.next_round()
    except Invalid as fault:
        return [
            NextStep("desk-round", _("Pair the next round"), obstacle=unpairable_reason(fault, desk.names)),
            *steps,
        ]
    if paired is not None:
        steps.insert(0, NextStep("desk-round", _("Pair and open round %(n)s") % {"n": paired.round}, preview=True))
    return steps
