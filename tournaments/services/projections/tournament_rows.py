"""The rows of a tournament and of its entrants."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from tournaments.services.projections.state_change import StateChange

ENTRANT_COLUMNS = ("checked_in", "withdrawn", "waiting", "paid", "user", "written_name", "federation_number")


def tournament_columns(change: StateChange, *, started_at: datetime | None) -> dict[str, Any]:
    """The columns of the tournament's row; `started_at` is when it began, if its phase has changed.

    A tournament whose automatic start was undone is started by hand.
    """
    tournament, state = change.tournament, change.after
    columns: dict[str, Any] = {"terms": state.rules.as_json()}
    starts_itself = tournament.starts_itself
    if change.phase_changed:
        if state.phase in ("open", "drawn") and tournament.begun_at is not None:
            starts_itself = False
        columns |= {
            "phase": state.phase,
            "starts_itself": starts_itself,
            "begun_at": started_at,
            "ended_at": change.moment if state.phase in ("over", "cancelled") else None,
        }
    until = state.current_break.until if state.current_break is not None and state.phase == "running" else None
    columns["break_ends_at"] = datetime.fromisoformat(until) if until and not change.away else None
    waits = starts_itself and state.phase in ("open", "drawn") and not change.away
    columns["start_at"] = tournament.starts_at if waits else None
    return columns


def entrant_columns(change: StateChange) -> dict[int, dict[str, Any]]:
    """The columns of each entrant whose row changes, by number.

    Covers entrants who play, wait or have withdrawn, and those whose entry was undone: they count as withdrawn.
    """
    state, before = change.after, change.before
    replaced = change.replaced_people()
    changed: dict[int, dict[str, Any]] = {}
    for number, row in change.entrants.items():
        competitor = state.teams.competitor(number)  # players wait and withdraw with their team
        waiting = competitor in state.waiting
        withdrawn = competitor in state.withdrawn
        if competitor not in state.entrants and not waiting:
            withdrawn = row.withdrawn or competitor in before.entrants or competitor in before.waiting
        columns: dict[str, Any] = {
            "checked_in": number in state.checked_in,
            "withdrawn": withdrawn,
            "waiting": waiting,
            "paid": number in state.paid,
        }
        if number in replaced:
            person = replaced[number]
            columns |= {"user_id": person.user, "written_name": person.name if person.user is None else ""}
            columns["federation_number"] = ""  # it was another person's
        if number in replaced or any(getattr(row, name) != value for name, value in columns.items()):
            changed[number] = columns
    return changed
