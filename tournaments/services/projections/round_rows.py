"""The rows of rounds."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from tournaments.models import TournamentRound
from tournaments.round_schedule import ScheduledRounds, SectionRound, next_scheduled_rounds, opening_time
from tournaments.services.projections.state_change import StateChange
from tournaments.state import State

STALLED_AFTER = timedelta(hours=3)  # a round without a deadline that takes longer is shown to the director


@dataclass(slots=True)
class RoundChanges:
    """What is to be written of the rounds of a tournament; `clear_deadlines`: of all rounds, no deadline is left."""

    delete: list[TournamentRound] = field(default_factory=list)
    save: list[TournamentRound] = field(default_factory=list)
    clear_deadlines: bool = False


def rounds(change: StateChange, rows: Iterable[TournamentRound]) -> RoundChanges:
    """A row for each round in play, and for the next one where rounds open at a time. `rows` are the stored rounds."""
    state, tournament = change.after, change.tournament
    changes = RoundChanges(clear_deadlines=state.phase != "running" or change.away)
    known = {(row.section, row.round): row for row in rows}
    scheduled, opens_at = _next_rounds(change)
    if state.phase in ("open", "drawn", "running"):  # rounds that were undone are not open any more
        existing = {(pairing.section, pairing.round) for pairing in state.pairings}
        for round_, row in list(known.items()):
            in_use = round_ in scheduled.all if row.opened_at is None else round_ in existing and state.is_open(*round_)
            if not in_use:
                changes.delete.append(known.pop(round_))

    def row_of(section: str, number: int) -> TournamentRound:
        round_ = (section, number)
        if round_ not in known:
            known[round_] = TournamentRound(tournament=tournament, section=section, round=number)
        return known[round_]

    for section, number in _rounds_in_play(state):
        row = row_of(section, number)
        if row.opened_at is None:
            hours = state.rules.hours_of(number)
            row.opened_at = change.moment
            row.open_at = None
            row.stalled_at = change.moment + (timedelta(hours=hours) if hours else STALLED_AFTER)
            changes.save.append(row)
    if scheduled.number is not None and tournament.begun_at is not None:
        for section, number in scheduled.all:
            row = row_of(section, number)
            if row.opened_at is None and row.open_at != opens_at:
                row.open_at = opens_at
                changes.save.append(row)
    return changes


def _next_rounds(change: StateChange) -> tuple[ScheduledRounds, datetime | None]:
    """The rounds that open next at a time, and that time; none where rounds do not open at a time."""
    state = change.after
    if state.phase == "running" and state.rules.pace != "flow" and not change.away:
        scheduled = next_scheduled_rounds(state)
        opens_at = opening_time(state, scheduled, change.tournament.begun_at or change.moment)
        if opens_at is not None:
            return scheduled, opens_at
    return ScheduledRounds(None), None


def _rounds_in_play(state: State) -> Iterable[SectionRound]:
    """The rounds with a pairing to be played; none in an arena, whose waves are no rounds with a deadline."""
    if state.pairs_free_players:
        return ()
    return dict.fromkeys(
        (pairing.section, pairing.round)
        for pairing in state.pairings
        if pairing.state == "ready" and state.is_open(pairing.section, pairing.round)
    )
