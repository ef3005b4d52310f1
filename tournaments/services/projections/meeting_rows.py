"""The rows of pairings, and the matches that are arranged or called off for them."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from games.engine import Side
from games.models import Match
from tournaments.formats.arena import FIRST_MOVE
from tournaments.formats.core import Key, Pairing
from tournaments.models import Meeting
from tournaments.part_keys import fixture_key, part_key, part_number
from tournaments.services.match_options import match_options
from tournaments.services.projections.state_change import StateChange

REMIND_BEFORE = timedelta(hours=24)
UNFINISHED = (Match.Status.OPEN, Match.Status.LIVE)
MEETING_COLUMNS = ("a", "b", "state", "match", "opened_at", "due_at", "remind_at", "no_show_at", "lock_at", "board")


@dataclass(frozen=True, slots=True)
class NewMatch:
    """A match to arrange for a pairing of two accounts; `terms` are arguments of `games.services.match_arrange`."""

    meeting: Meeting
    terms: dict[str, Any]


@dataclass(slots=True)
class MeetingChanges:
    """What is to be written of the pairings of a tournament."""

    create: list[Meeting] = field(default_factory=list)
    update: list[Meeting] = field(default_factory=list)
    delete: list[Meeting] = field(default_factory=list)
    call_off: list[Match] = field(default_factory=list)  # unfinished matches of pairings that were decided elsewhere
    link: list[tuple[Meeting, str]] = field(default_factory=list)  # meetings with the match of their result
    arrange: list[NewMatch] = field(default_factory=list)
    # Opened over the board: the two players are notified, of a series once.
    ready: list[Meeting] = field(default_factory=list)
    leads: list[tuple[Match, dict[Side, int]]] = field(default_factory=list)  # new leads of matches not yet begun


def meetings(change: StateChange, rows: Mapping[Key, Meeting]) -> MeetingChanges:
    """A row for each pairing whose two entrants are known; matches for those that can be played, and for no others.

    `rows` are the stored meetings by key, with their matches. The rows to update are returned with their new values.
    """
    return _MeetingProjection(change, rows).changes()


class _MeetingProjection:
    """The comparison of the pairings after a transaction with the stored meetings."""

    def __init__(self, change: StateChange, rows: Mapping[Key, Meeting]) -> None:
        self.change = change
        self.state = change.after
        self.pairings = {pairing.key: pairing for pairing in change.after.pairings if len(pairing.entrants) == 2}
        self.replaced = change.replaced_people().keys()
        self.stored = rows
        self.rows = dict(rows)
        self.created: dict[Key, Meeting] = {}
        self.updated: dict[Key, Meeting] = {}
        self.found = MeetingChanges()

    def changes(self) -> MeetingChanges:
        for key in self.stored.keys() - self.pairings.keys():
            self._delete(self.rows.pop(key))
        for key, pairing in self.pairings.items():
            row = self.rows.get(key)
            if row is None:
                self.rows[key] = self.created[key] = self._new_row(pairing)
            elif self._set_entrants(row, pairing):
                self.updated[key] = row
        busy = {
            number
            for key, row in self.rows.items()
            if row.opened_at is not None and self.pairings[key].state == "ready"
            for number in self.pairings[key].entrants
        }
        for key, pairing in self.pairings.items():
            row = self.rows[key]
            if pairing.state == "done":
                if self._close(row, pairing):
                    self.updated[key] = row
            elif row.opened_at is None and self._may_open(pairing, busy):
                self._open(row)
                busy.update(pairing.entrants)
                self.updated[key] = row
            elif row.match is not None and row.match.status == Match.Status.OPEN and self._penalties_changed(pairing):
                self.found.leads.append((row.match, self._leads(row)))
        called = self.state.called if self.state.phase == "running" else {}
        for key, row in self.rows.items():
            board = called[key].board if key in called else None
            if row.board != board:
                row.board = board
                self.updated[key] = row
        self.found.create = list(self.created.values())
        self.found.update = [row for key, row in self.updated.items() if key not in self.created]
        return self.found

    def _new_row(self, pairing: Pairing) -> Meeting:
        a, b = (self.change.entrants[number] for number in pairing.entrants)
        return Meeting(
            tournament=self.change.tournament,
            key=pairing.key,
            section=pairing.section,
            round=pairing.round,
            number=pairing.number,
            a=a,
            b=b,
        )

    def _delete(self, row: Meeting) -> None:
        self.found.delete.append(row)
        if row.match is not None and row.match.status in UNFINISHED:
            self.found.call_off.append(row.match)

    def _set_entrants(self, row: Meeting, pairing: Pairing) -> bool:
        """Set the two entrants of a pairing, and whether anything changed.

        What was begun there by others, or before its result or its round was undone, is reset.
        """
        a, b = (self.change.entrants[number] for number in pairing.entrants)
        same = {row.a_id, row.b_id} == {a.pk, b.pk}
        replaced = any(number in self.replaced for number in pairing.entrants)
        same = same and (pairing.state == "done" or not (replaced or self.change.moved))
        opened = self.state.is_open(pairing.section, pairing.round)
        stays = same and (
            pairing.state == "done" or (row.state == Meeting.State.READY and (opened or row.opened_at is None))
        )
        swapped_sides = (row.a_id, row.b_id) != (a.pk, b.pk)
        row.a, row.b = a, b
        if not stays:
            self._call_off(row)
            row.match, row.state = None, Meeting.State.READY
            row.opened_at = row.due_at = row.lock_at = None
        return swapped_sides or not stays

    def _close(self, row: Meeting, pairing: Pairing) -> bool:
        """Close a pairing that has its result, with the match that this comes from, and whether anything changed."""
        match_id = pairing.result.match if pairing.result is not None else ""
        if row.state == Meeting.State.DONE and row.lock_at is None and match_id in ("", row.match_id):
            return False
        row.state = Meeting.State.DONE
        row.lock_at = None
        self._call_off(row)
        if match_id and match_id != row.match_id:
            self.found.link.append((row, match_id))
        return True

    def _call_off(self, row: Meeting) -> None:
        """End the match of a pairing that was decided elsewhere; a finished one stays linked to its pairing."""
        match, row.remind_at, row.no_show_at = row.match, None, None
        if match is not None and match.status in UNFINISHED:
            row.match = None
            self.found.call_off.append(match)

    def _may_open(self, pairing: Pairing, busy: Collection[int]) -> bool:
        """Whether a pairing may be played now: its round is open, and neither player is busy in this tournament.

        Where all are played at once, nobody is busy.
        """
        ready = pairing.state == "ready" and self.state.is_open(pairing.section, pairing.round)
        held = self.state.current_break is not None or self.change.away
        busy_here = not self.state.format.at_once and any(number in busy for number in pairing.entrants)
        return ready and not held and not busy_here

    def _open(self, row: Meeting) -> None:
        """Let a pairing be played: set its deadlines, and arrange its match, unless it is played over the board."""
        terms, moment = self.state.rules, self.change.moment
        row.opened_at = moment
        if hours := terms.hours_of(row.round):
            row.due_at = row.lock_at = self._deadline_of_series(row) or moment + timedelta(hours=hours)
            if row.due_at - REMIND_BEFORE > moment:
                row.remind_at = row.due_at - REMIND_BEFORE
        white, black = row.a.user, row.b.user
        if white is None or black is None or terms.venue == "board" or self.state.venue_stay is not None:
            if part_number(row.key) < 2 or not self.state.series:
                self.found.ready.append(row)
            return
        if self.state.pairs_free_players:
            row.no_show_at = moment + FIRST_MOVE
        elif terms.no_show_minutes:
            row.no_show_at = moment + timedelta(minutes=terms.no_show_minutes)
        length = terms.length(row.section, row.round)
        match_terms = {
            "white": white,
            "black": black,
            "variant": terms.variant,
            "length": length,
            "clock": terms.clock_of(row.round),
            "options": match_options(terms, length),
            "rated": terms.rated and not any(user.is_bot or user.is_guest for user in (white, black)),
            "title": self.change.tournament.name,
            "from_url": f"/tournaments/{self.change.tournament.pk}/",
            "lead": self._leads(row),
            "adjournable": False,
        }
        self.found.arrange.append(NewMatch(row, match_terms))

    def _deadline_of_series(self, row: Meeting) -> datetime | None:
        """The deadline of the match before in the same series, which is that of all of them; None if there is none."""
        number = part_number(row.key)
        if not self.state.series or number < 2:
            return None
        before = self.rows.get(part_key(fixture_key(row.key), number - 1))
        return before.due_at if before is not None else None

    def _penalties_changed(self, pairing: Pairing) -> bool:
        return self.change.before.penalties_of(pairing) != self.state.penalties_of(pairing)

    def _leads(self, row: Meeting) -> dict[Side, int]:
        """The points with which the match of a pairing begins: the opponent's penalty points. a has White."""
        penalties = self.state.penalties_of(self.state.by_key[row.key])
        most = self.state.rules.length(row.section, row.round) - 1
        return {
            "white": min(penalties.get(row.b.number, 0), most),
            "black": min(penalties.get(row.a.number, 0), most),
        }
