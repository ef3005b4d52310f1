"""The rows that follow from the events of a tournament: what pages and sweeps search, and nothing more.

Each projection compares the state before and after a transaction with the stored rows, and returns what is to be
written; `TournamentTransaction.commit` writes it. Whatever was undone, redone or corrected, the rows come to stand as
if the tournament had been played like that from the beginning.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from games.engine import Side
from games.models import Match
from tournaments.formats.arena import FIRST_MOVE
from tournaments.formats.core import Key, Pairing
from tournaments.models import Entrant, Meeting, Tournament, TournamentEvent, TournamentRound
from tournaments.part_keys import fixture_key, part_key, part_number
from tournaments.round_schedule import ScheduledRounds, SectionRound, next_scheduled_rounds, opening_time
from tournaments.services.match_options import match_options
from tournaments.state import Person, State

STALLED_AFTER = timedelta(hours=3)  # a round without a deadline that takes longer is shown to the director
REMIND_BEFORE = timedelta(hours=24)
UNFINISHED = (Match.Status.OPEN, Match.Status.LIVE)
MEETING_COLUMNS = ("a", "b", "state", "match", "opened_at", "due_at", "remind_at", "no_show_at", "lock_at", "board")
ENTRANT_COLUMNS = ("checked_in", "withdrawn", "waiting", "paid", "user", "written_name", "federation_number")


@dataclass(frozen=True, slots=True)
class StateChange:
    """A transaction as projections see it: the states before and after it, and `moment`, when it took its lock.

    `entrants` are the rows of the entrants by number. `away`: the tournament is played at a venue, and nothing of it is
    open or due on this site (ruling E27).
    """

    tournament: Tournament
    entrants: Mapping[int, Entrant]
    before: State
    after: State
    moment: datetime
    away: bool = False

    @property
    def moved(self) -> bool:
        """Whether the tournament has gone to a venue, or has come back."""
        return (self.before.venue_stay is None) != (self.after.venue_stay is None)

    @property
    def phase_changed(self) -> bool:
        return self.tournament.phase != self.after.phase

    def replaced_people(self) -> dict[int, Person]:
        """The new holder of each entrant's place that is held by another person than before."""
        before, after = self.before.people, self.after.people
        numbers = {number for number in before.keys() | after.keys() if before.get(number) != after.get(number)}
        return {number: after[number][-1] if number in after else before[number][0] for number in numbers}


# The tournament and its entrants


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


# Pairings


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


# Rounds


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


# Matches of this site, and their ratings


@dataclass(frozen=True, slots=True)
class ResultCorrection:
    """The result that a match of this site has in its tournament now: the number of the entrant who won it (None: a
    double walkover), and whether it counts in the ratings.
    """

    winner: int | None
    counts: bool


def result_corrections(change: StateChange, events: Iterable[TournamentEvent]) -> dict[str, ResultCorrection | None]:
    """The matches of this site, by id, whose result counts no more, counts again, or has another winner.

    None: the match was played, but not for this tournament any more.
    `events` are those of the transaction: the results that the matches themselves brought need no correction.
    """
    before, after = _counted_results(change.before), _counted_results(change.after)
    reported = {
        event.data.get("match") for event in events if event.kind == "result" and not event.data.get("corrects")
    }
    changed = {match for match in before.keys() | after.keys() if before.get(match) != after.get(match)} - reported
    return {match: after.get(match) for match in changed}


def side_of(change: StateChange, number: int, seats: Mapping[int | None, str]) -> str | None:
    """The side of an entrant in a match, or of the person who held their place then; `seats` are sides by account."""
    people = (*change.before.people.get(number, ()), *change.after.people.get(number, ()))
    users = [change.entrants[number].user_id, *(person.user for person in people)]
    return next((seats[user] for user in users if user is not None and user in seats), None)


def _counted_results(state: State) -> Mapping[str, ResultCorrection]:
    """The winner of each match of this site whose result counts, and whether it was won by playing."""
    if not any(result.match for result in state.results.values()):
        return {}
    results = [pairing.result for pairing in state.pairings if pairing.result is not None and pairing.result.match]
    return {result.match: ResultCorrection(result.winner, result.how == "played") for result in results}
