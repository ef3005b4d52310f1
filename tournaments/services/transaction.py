"""A tournament under lock: the state of its events so far, and the events that this transaction adds.

The rows that follow from the events are worked out by `projections` and written by `TournamentTransaction.commit`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from datetime import datetime
from functools import cached_property, partial
from typing import Any, Literal, cast
from zoneinfo import ZoneInfo

from django.db import transaction
from django.db.models import Max, Q
from django.utils.formats import date_format
from django.utils.timezone import localtime

from accounts.models import User
from games import services as play
from games.database import now
from games.errors import Refused as PlayRefused
from games.models import Match
from tournaments import notify, roles, undo
from tournaments.errors import AffectsPairings, NotFound, Refused
from tournaments.fold import state_after
from tournaments.formats.core import Invalid, Key, Pairing, Round
from tournaments.models import Entrant, Meeting, Team, Tournament, TournamentEvent, VenueCopy
from tournaments.roles import DeskAct
from tournaments.round_schedule import next_scheduled_rounds, opening_time
from tournaments.services import board_calls, projections
from tournaments.services.projections import NewMatch, StateChange
from tournaments.services.shared_boards import OtherBoards, other_boards
from tournaments.state import Event, State


def load_events(tournament: Tournament) -> list[Event]:
    """Everything that happened, in order, in one query."""
    rows = TournamentEvent.objects.filter(tournament=tournament).order_by("n").values_list("kind", "data", "act")
    return [Event(*row) for row in rows]


def load_state(tournament: Tournament) -> State:
    """Where a tournament stands: the fold of its effective events, in one query."""
    return undo.replay(load_events(tournament))


class TournamentTransaction:
    """The working copy that one database transaction reads, adds events to, and writes with `commit`.

    Made by `lock`; everything that it records is one act. `moment` is read after the lock.
    """

    def __init__(self, tournament: Tournament, state: State, moment: datetime) -> None:
        self.tournament = tournament
        self.before = state
        self.state = state
        self.moment = moment
        self.added: list[TournamentEvent] = []
        self._act: int | None = None
        self.staying: set[Key] = set()  # the next matches of series that stay at their boards
        self._adopted: list[TournamentEvent] = []

    @classmethod
    def lock(cls, tournament_id: str, *, away: bool = False) -> TournamentTransaction:
        """Lock a tournament until the end of the transaction; `away`: also while it is played at a venue (E27).

        Raises NotFound, Refused("at_venue").
        """
        tournament = Tournament.objects.select_for_update().filter(pk=tournament_id).first()
        if tournament is None:
            raise NotFound
        tx = cls(tournament, load_state(tournament), now())
        if tx.is_away and not away:
            raise Refused("at_venue", params={"since": tx.away_since})
        return tx

    # Guards and look-ups

    def may(self, user: User, act: DeskAct) -> bool:
        """Whether the role of a user at this tournament allows an act."""
        return roles.may(self.tournament.role_of(user), act)

    def check_act(self, user: User, act: DeskAct) -> None:
        """Raises Refused: not_official, not_referee, not_director, by the role that the act needs."""
        roles.check(self.tournament.role_of(user), act)

    @cached_property
    def is_venue(self) -> bool:
        """Whether this site is the venue's: the tournament came here as a copy."""
        return VenueCopy.objects.filter(tournament=self.tournament, here=True).exists()

    @property
    def is_away(self) -> bool:
        """Whether the tournament is played at a venue, and this is the club's site: nothing happens here."""
        return self.state.venue_stay is not None and not self.is_venue

    @property
    def away_since(self) -> str:
        """Since when the tournament is at its venue, in its time zone; "" where it is not."""
        stay = self.state.venue_stay
        if stay is None:
            return ""
        local = localtime(datetime.fromisoformat(stay.since), ZoneInfo(self.tournament.timezone))
        return date_format(local, "SHORT_DATETIME_FORMAT")

    def check_phase(self, *phases: str) -> None:
        """Raises Refused: entry_closed, not_running, already_drawn, already_over."""
        phase = self.state.phase
        if phase in phases:
            return
        if phase in ("over", "cancelled"):
            raise Refused("already_over")
        raise Refused("not_running" if "running" in phases else "already_drawn")

    @cached_property
    def entrants(self) -> dict[int, Entrant]:
        """The entrants by number, with their accounts."""
        return {entrant.number: entrant for entrant in self.tournament.entrants.select_related("user")}

    def entrant(self, number: int) -> Entrant:
        """Raises Refused("not_entered")."""
        entrant = self.entrants.get(number)
        if entrant is None:
            raise Refused("not_entered")
        return entrant

    def competitor(self, number: int) -> Entrant:
        """An entrant of the draw, a player or a team. Raises Refused: not_entered, in_team (a player of a team)."""
        entrant = self.entrant(number)
        if entrant.team_id is not None:
            raise Refused("in_team")
        return entrant

    def person(self, number: int) -> Entrant:
        """An entrant who is a player, alone or of a team. Raises Refused: not_entered, is_team."""
        entrant = self.entrant(number)
        if number in self.state.rosters:
            raise Refused("is_team")
        return entrant

    def is_own(self, user: User, entrant: Entrant) -> bool:
        """Whether an entrant is this user, or the team that this user is the captain of."""
        captain = Team.objects.filter(entrant=entrant).values_list("captain", flat=True).first()
        return user.pk in (entrant.user_id, captain)

    def pairing(self, key: Key) -> Pairing:
        """Raises Refused("no_pairing")."""
        pairing = self.state.by_key.get(key)
        if pairing is None:
            raise Refused("no_pairing")
        return pairing

    def pairing_or_series(self, key: Key) -> Pairing:
        """A pairing, or a whole series. Raises Refused("no_pairing")."""
        pairing = self.state.pairing(key)
        if pairing is None:
            raise Refused("no_pairing")
        return pairing

    def has_free_place(self) -> bool:
        """Whether there is a place for one more entrant."""
        playing = sum(number not in self.state.withdrawn for number in self.state.entrants)
        return self.tournament.capacity is None or playing < self.tournament.capacity

    def named_params(self, error: Invalid) -> dict[str, Any]:
        """The params of a format's error, with the names of its entrants."""
        numbers = cast("Iterable[int]", error.params.get("entrants", ()))
        return {**error.params, "names": ", ".join(self.entrants[number].name for number in numbers)}

    # Events

    def record(self, kind: str, by: User | None = None, /, **data: Any) -> None:
        """Add one event, and apply it to the state. In an arena its data say when it happened."""
        if self.state.pairs_free_players:
            data.setdefault("at", self.moment.isoformat())
        self._append(kind, by, data)
        self.state = state_after(self.state, Event(kind, data))

    def rewrite(self, kind: Literal["undone", "redone"], by: User, *, act: int) -> None:
        """Take an act out of the tournament or put it back, with what follows from it, and fold anew."""
        self._append(kind, by, {"act": act})
        added = (Event(event.kind, event.data, event.act) for event in self.added)
        self.state = undo.replay([*load_events(self.tournament), *added])

    def adopt(self, events: Sequence[TournamentEvent]) -> None:
        """Add events of another site, numbered on from the last one here, with their acts and their times."""
        self.tournament.version += len(events)
        self.added.extend(events)
        self._adopted.extend(events)
        added = (Event(event.kind, event.data, event.act) for event in self.added)
        self.state = undo.replay([*load_events(self.tournament), *added])

    @property
    def act(self) -> int:
        """The number of this transaction's act. Raises ValueError before its first event."""
        if self._act is None:
            raise ValueError("nothing was recorded")
        return self._act

    def _append(self, kind: str, by: User | None, data: dict[str, Any]) -> None:
        self.tournament.version += 1
        n = self.tournament.version
        self._act = self._act or n
        self.added.append(
            TournamentEvent(tournament=self.tournament, n=n, act=self._act, kind=kind, data=data, by=by, at=self.moment)
        )

    def alert(self, kind: str, key: Key = "", **details: Any) -> None:
        """Alert the directors, once until they dismiss it; about a pairing, again when others meet there."""
        pairing = self.state.by_key.get(key)
        entrants = list(pairing.entrants) if pairing is not None else None
        known = self.state.alerts.get((kind, key))
        if known is None or known.get("of", entrants) != entrants:
            details |= {"of": entrants} if entrants else {}
            self.record("alerted", None, what=kind, key=key, **details)
            notify.directors_alerted(self.tournament)

    def admit_waiting(self) -> None:
        """Give free places to the waiting list, in its order, and notify those who are admitted."""
        while self.state.phase == "open" and self.state.waiting and self.has_free_place():
            entrant = self.entrants[self.state.waiting[0]]
            self.record("admitted", None, entrant=entrant.number)
            notify.admitted(entrant, self.tournament)

    def record_round(self, round_: Round, by: User | None = None) -> None:
        """Record the pairs of a round, and open it."""
        self.record(
            "paired",
            by,
            section=round_.section,
            round=round_.round,
            pairs=[list(pair) for pair in round_.pairs],
            bye=round_.bye,
            absent=list(round_.absent),
            whys=[{"code": why.code, "params": dict(why.params)} for why in round_.whys],
        )
        if self.state.rules.pace != "flow":
            self.record("opened", by, section=round_.section, round=round_.round)

    def advance(self) -> None:
        """Record what follows by itself: rounds that pair themselves or are due, and the end of the tournament."""
        while self.state.phase == "running":
            if self.state.complete:
                self.record("finished")
            elif self.state.current_break is not None or not self._open_next_round():
                break

    def _open_next_round(self) -> bool:
        """Open the rounds that may open now, and whether there were any."""
        if self.state.rules.pace != "flow":
            scheduled = next_scheduled_rounds(self.state)
            opens_at = opening_time(self.state, scheduled, self.tournament.begun_at or self.moment)
            if opens_at is None or self.moment < opens_at:
                return False
            if scheduled.rounds:
                for section, number in scheduled.rounds:
                    self.record("opened", None, section=section, round=number)
                return True
        try:
            round_ = self.state.next_round()
        except Invalid as error:
            self.alert("unpaired", code=error.code, params=self.named_params(error))
            return False
        if round_ is not None:
            self.record_round(round_)
        return round_ is not None

    def check_agreement(self, agreed: Collection[Key] | None, *, rewritten: Collection[Key]) -> None:
        """Check that a rewrite resets exactly the pairings that the director was shown and agreed to (`agreed`).

        `rewritten`: the pairings whose own results are undone or corrected. Raises AffectsPairings.
        """
        in_play = Q(match__status=Match.Status.LIVE)
        unrecorded = Q(match__status=Match.Status.OVER, state=Meeting.State.READY)  # its result is on its way
        keys = self.tournament.meetings.filter(in_play | unrecorded).order_by().values_list("key", flat=True)
        affected = undo.affected_pairings(self.before, self.state, frozenset(keys), rewritten)
        if affected and {reset.pairing.key for reset in affected} != set(agreed or ()):
            raise AffectsPairings(affected)

    # Writing

    def commit(self, reason: str = "") -> None:
        """Write the events and every row that follows from them, arrange the matches that are ready, tell the pages.

        `reason` is shown beside a match whose result counts otherwise from now on.
        """
        if not self.added:
            return
        if not self.is_away:
            board_calls.leave_boards_of_others(self)
            self.staying |= board_calls.call_to_free_boards(self)
        self._write_entrants()
        self._write_meetings()
        self._write_rounds()
        TournamentEvent.objects.bulk_create(self.added)
        self._write_tournament()
        self._correct_results(reason)
        for pk in board_calls.tournaments_to_tell(self):
            transaction.on_commit(partial(call_waiting, pk), robust=True)
        notify.changed(self.tournament.pk, self.tournament.version)

    @cached_property
    def other_boards(self) -> OtherBoards:
        """The boards in use in the other tournaments of the weekend, from now on until the end of the transaction."""
        return other_boards(self.tournament)

    def call_waiting(self) -> None:
        """Call pairings to boards that another tournament of the weekend has left, and write that."""
        self.staying |= board_calls.call_to_free_boards(self)
        self.commit()

    def call(self, pairing: Pairing, board: int | None, by: User | None = None) -> None:
        """Record that the two of a pairing are called to a board; None: they are not any more."""
        of = list(pairing.entrants)
        self.record("called", by, key=pairing.key, of=of, board=board, at=self.moment.isoformat())

    @property
    def _change(self) -> StateChange:
        return StateChange(self.tournament, self.entrants, self.before, self.state, self.moment, self.is_away)

    def _write_entrants(self) -> None:
        changed = projections.entrant_columns(self._change)
        for number, columns in changed.items():
            _assign(self.entrants[number], columns)
        rows = [self.entrants[number] for number in changed]
        Entrant.objects.bulk_update(rows, projections.ENTRANT_COLUMNS)

    def _write_meetings(self) -> None:
        stored = {row.key: row for row in self.tournament.meetings.select_related("match")}
        changes = projections.meetings(self._change, stored)
        for row in changes.delete:
            row.delete()
        if changes.call_off:
            Meeting.objects.filter(match__in=changes.call_off).update(match=None)  # before their end is announced
        for match in changes.call_off:
            play.match_call_off(match_id=match.pk)
        for row, match_id in changes.link:
            row.match = Match.objects.filter(pk=match_id).first()
        for new in changes.arrange:
            self._arrange_match(new)
        called = {event.data["key"]: event.data["board"] for event in self.added if event.kind == "called"}
        for row in changes.ready:
            notify.meeting_ready(row, self.tournament, called.pop(row.key, None))
        for match, lead in changes.leads:
            play.match_change_lead(match_id=match.pk, lead=lead)
        Meeting.objects.bulk_create(changes.create)
        Meeting.objects.bulk_update(changes.update, projections.MEETING_COLUMNS)
        moved = [key for key, board in called.items() if board and key not in self.staying]
        for row in self.tournament.meetings.select_related("a__user", "b__user").filter(key__in=moved) if moved else ():
            notify.meeting_ready(row, self.tournament, called[row.key])

    def _arrange_match(self, new: NewMatch) -> None:
        try:
            new.meeting.match = play.match_arrange(**new.terms)
        except PlayRefused as refusal:  # an account was closed meanwhile: the round goes on without this match
            self.alert("no_board", new.meeting.key, code=refusal.code)

    def _write_rounds(self) -> None:
        changes = projections.rounds(self._change, self.tournament.round_rows.all())
        for row in changes.delete:
            row.delete()
        for row in changes.save:
            row.save()
        if changes.clear_deadlines:
            self.tournament.round_rows.update(open_at=None, stalled_at=None)

    def _write_tournament(self) -> None:
        change = self._change
        started_at = self._started_at() if change.phase_changed else None
        _assign(self.tournament, projections.tournament_columns(change, started_at=started_at))
        self.tournament.save()

    def _started_at(self) -> datetime | None:
        """When the tournament began: a start that was undone and redone keeps its time. None while it has not begun."""
        if self.state.phase in ("open", "drawn"):
            return None
        started = TournamentEvent.objects.filter(tournament=self.tournament, kind="started")
        return self.tournament.begun_at or started.aggregate(at=Max("at"))["at"]

    def _correct_results(self, reason: str) -> None:
        """Correct the matches of this site whose result counts otherwise now, and with them the ratings.

        All of them are locked in one order before the first rating pool is (games.services.ratings).
        """
        change = self._change
        corrections = projections.result_corrections(change, self.added)
        if not corrections:
            return
        by = next((event.by for event in self.added if event.by is not None), None) or self.tournament.created_by
        reason = ": ".join(part for part in (self.tournament.name, reason) if part)
        for match in list(Match.objects.select_for_update().filter(pk__in=corrections).order_by("pk")):
            correction = corrections[match.pk]
            seats = {seat.user_id: seat.side for seat in match.seats.all()}
            side: Any = None
            if correction is not None and correction.winner is not None:
                side = projections.side_of(change, correction.winner, seats)
            counts = correction is not None and correction.counts
            if correction is None or (correction.winner is not None and side is None):
                side, counts = match.winner or None, False  # it was played, but not for this tournament
            play.arranged_correct(match_id=match.pk, by=by, winner=side, counts=counts, reason=reason)


def call_waiting(tournament_id: str) -> None:
    """Call pairings of a tournament to boards that another one of its weekend has left."""
    with transaction.atomic():
        tx = TournamentTransaction.lock(tournament_id, away=True)
        if not tx.is_away:
            tx.call_waiting()


def _assign(row: Entrant | Tournament, columns: dict[str, Any]) -> None:
    for name, value in columns.items():
        setattr(row, name, value)
