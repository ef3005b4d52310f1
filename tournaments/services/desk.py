"""A tournament under lock: the events so far, those that this transaction adds, and the rows that follow from them."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta
from functools import cached_property
from typing import Any

from accounts.models import User
from games import services as play
from games.database import now
from games.errors import Refused as PlayRefused
from games.models import Match
from games.registry import RULES
from tournaments import fold, notify
from tournaments.errors import NotFound, Refused
from tournaments.fold import Event, State
from tournaments.formats.core import Key, Pairing, Round
from tournaments.models import Entrant, Meeting, Tournament, TournamentEvent, TournamentRound
from tournaments.terms import Terms
from tournaments.waves import next_wave

STALLED = timedelta(hours=3)  # a round without a deadline that takes longer is shown to the director
REMIND_BEFORE = timedelta(hours=24)


def state_of(tournament: Tournament) -> State:
    """Where a tournament stands: the fold of its events, in one query."""
    rows = TournamentEvent.objects.filter(tournament=tournament).order_by("n").values_list("kind", "data")
    return fold.fold(Event(kind, data) for kind, data in rows)


def options_at(terms: Terms, length: int) -> dict[str, Any]:
    """The options of a match to `length`: the usual match of a game may have more of them than a short one.

    A match to 1 point has no cube, so it takes nothing of what was agreed about the cube (B13). What no match of this
    game has stays in, for the game to refuse.
    """
    rules = RULES.get(terms.variant)
    usual = rules.terms(rules.lengths[0]) if rules else {}
    here = rules.terms(length) if rules else {}
    return {key: value for key, value in terms.options.items() if key in here or key not in usual}


class Desk:
    """The working copy that one transaction reads, adds events to and writes back. Made by `lock` or `opened`."""

    def __init__(self, tournament: Tournament, state: State, moment: datetime) -> None:
        self.tournament = tournament
        self.state = state
        self.moment = moment  # read after the lock
        self.added: list[TournamentEvent] = []

    @classmethod
    def lock(cls, tournament_id: str) -> Desk:
        """Lock a tournament until the end of the transaction. Raises NotFound."""
        tournament = Tournament.objects.select_for_update().filter(pk=tournament_id).first()
        if tournament is None:
            raise NotFound
        return cls(tournament, state_of(tournament), now())

    # Who

    def directed_by(self, user: User | None) -> bool:
        return user is not None and self.tournament.directors.filter(user=user).exists()

    def need_director(self, user: User) -> None:
        """Raises Refused("not_director")."""
        if not self.directed_by(user):
            raise Refused("not_director")

    @cached_property
    def entrants(self) -> dict[int, Entrant]:
        """The entrants by number, with their accounts."""
        return {one.number: one for one in self.tournament.entrants.select_related("user")}

    def entrant(self, number: int) -> Entrant:
        """Raises Refused("not_entered")."""
        if (one := self.entrants.get(number)) is None:
            raise Refused("not_entered")
        return one

    def pairing(self, key: Key) -> Pairing:
        """Raises Refused("no_pairing")."""
        if (one := self.state.by_key.get(key)) is None:
            raise Refused("no_pairing")
        return one

    def need_phase(self, *phases: str) -> None:
        """Raises Refused: entry_closed, not_running, already_drawn, already_over."""
        phase = self.state.phase
        if phase in phases:
            return
        if phase in ("over", "cancelled"):
            raise Refused("already_over")
        raise Refused("not_running" if "running" in phases else "already_drawn")

    # What happens

    def record(self, kind: str, by: User | None = None, /, **data: Any) -> None:
        """Add one event and take its consequence into the state."""
        self.state = self.state.after(Event(kind, data))
        self.tournament.version += 1
        self.added.append(
            TournamentEvent(
                tournament=self.tournament, n=self.tournament.version, kind=kind, data=data, by=by, at=self.moment
            )
        )

    def alert(self, what: str, key: Key = "", **facts: Any) -> None:
        """Tell the directors, once, until they have seen to it."""
        if (what, key) not in self.state.alerts:
            self.record("alerted", None, what=what, key=key, **facts)
            notify.directors_alerted(self.tournament)

    def pair(self, paired: Round, by: User | None = None) -> None:
        """Record the pairs of a round and open it."""
        self.record(
            "paired",
            by,
            section=paired.section,
            round=paired.round,
            pairs=[list(pair) for pair in paired.pairs],
            bye=paired.bye,
            whys=[{"code": why.code, "params": dict(why.params)} for why in paired.whys],
        )
        if self.state.rules.pace != "flow":
            self.record("opened", by, section=paired.section, round=paired.round)

    def advance(self) -> None:
        """What follows by itself: rounds that pair themselves or are due, and the end."""
        while self.state.phase == "running":
            if self.state.complete:
                self.record("finished")
            elif self.state.rules.pace == "hand" or not self._next_round():
                break

    def _next_round(self) -> bool:
        """Open what may open now. Whether anything did."""
        paired = self.state.next_round()
        if self.state.rules.pace == "flow":
            if paired is not None:
                self.pair(paired)
            return paired is not None
        wave = next_wave(self.state)
        if wave.number is None or self.moment < self._wave_at(wave.number):
            return False
        if wave.rounds:
            for section, round_ in wave.rounds:
                self.record("opened", None, section=section, round=round_)
            return True
        if paired is not None:
            self.pair(paired)
            return True
        return False

    def _wave_at(self, number: int) -> datetime:
        """When the `number`-th wave of rounds opens by itself; the time of an outage does not count."""
        begun = (self.tournament.begun_at or self.moment) + self.state.stood
        return begun + number * timedelta(minutes=self.state.rules.round_minutes)

    # Writing back

    def commit(self) -> None:
        """Write the events and every row that follows from them, open the matches that are ready, tell the pages."""
        if not self.added:
            return
        self._entrants_follow()
        self._meetings_follow()
        self._rounds_follow()
        TournamentEvent.objects.bulk_create(self.added)
        self._tournament_follows()
        notify.changed(self.tournament.pk, self.tournament.version)

    def _tournament_follows(self) -> None:
        one, state = self.tournament, self.state
        one.terms = state.rules.as_json()
        if one.phase != state.phase:
            one.phase = state.phase
            if state.phase == "running":
                one.begun_at = self.moment
            if state.phase in ("over", "cancelled"):
                one.ended_at = self.moment
        one.start_at = one.starts_at if one.starts_itself and state.phase in ("open", "drawn") else None
        one.save()

    def _entrants_follow(self) -> None:
        changed = []
        for number, one in self.entrants.items():
            facts = (number in self.state.checked_in, number in self.state.withdrawn)
            if (one.checked_in, one.withdrawn) != facts:
                one.checked_in, one.withdrawn = facts
                changed.append(one)
        Entrant.objects.bulk_update(changed, ["checked_in", "withdrawn"])

    def _meetings_follow(self) -> None:
        rows = {row.key: row for row in self.tournament.meetings.select_related("match")}
        busy = {
            number
            for key, row in rows.items()
            if row.opened_at is not None and row.state == Meeting.State.READY
            for number in (self.state.by_key[key].entrants if self._playing(key) else ())
        }
        fresh: list[Meeting] = []
        changed: list[Meeting] = []
        for pairing in self.state.pairings:
            if len(pairing.entrants) < 2:
                continue
            row = rows.get(pairing.key)
            if row is None:
                row = self._meeting(pairing)
                fresh.append(row)
            elif (row.a.number, row.b.number) != pairing.entrants:  # a correction brought others here
                self._call_off(row)
                row.a, row.b = (self.entrants[number] for number in pairing.entrants)
                row.state, row.opened_at = Meeting.State.READY, None
                changed.append(row)
            if self.state.phase in ("over", "cancelled") or pairing.state == "done":
                if row.state == Meeting.State.READY or row.lock_at is not None:
                    self._close(row, pairing)
                    changed.append(row)
                continue
            if row.opened_at is None and self._may_open(pairing, busy):
                self._open(row)
                busy.update(pairing.entrants)
                changed.append(row)
        Meeting.objects.bulk_create(fresh)
        new = {id(row) for row in fresh}
        Meeting.objects.bulk_update(
            {id(row): row for row in changed if id(row) not in new}.values(),
            ["a", "b", "state", "match", "opened_at", "due_at", "remind_at", "no_show_at", "lock_at"],
        )

    def _playing(self, key: Key) -> bool:
        pairing = self.state.by_key.get(key)
        return pairing is not None and pairing.state == "ready"

    def _may_open(self, pairing: Pairing, busy: set[int]) -> bool:
        """Whether a pairing may be played now: its round is open, and neither plays elsewhere in this tournament."""
        return (
            pairing.state == "ready"
            and self.state.is_open(pairing.section, pairing.round)
            and busy.isdisjoint(pairing.entrants)
        )

    def _meeting(self, pairing: Pairing) -> Meeting:
        a, b = pairing.entrants
        return Meeting(
            tournament=self.tournament,
            key=pairing.key,
            section=pairing.section,
            round=pairing.round,
            number=pairing.number,
            a=self.entrants[a],
            b=self.entrants[b],
        )

    def _open(self, row: Meeting) -> None:
        """Let a pairing be played: its match, its deadlines, and a word to the two."""
        terms = self.state.rules
        row.opened_at = self.moment
        if hours := terms.hours_of(row.round):
            row.due_at = row.lock_at = self.moment + timedelta(hours=hours)
            if row.due_at - REMIND_BEFORE > self.moment:
                row.remind_at = row.due_at - REMIND_BEFORE
        a, b = row.a.user, row.b.user
        if a is None or b is None or terms.venue == "board":
            notify.meeting_ready(row, self.tournament)
            return
        if terms.no_show_minutes:
            row.no_show_at = self.moment + timedelta(minutes=terms.no_show_minutes)
        length = terms.length(row.section, row.round)
        try:
            row.match = play.match_arrange(
                white=a,
                black=b,
                variant=terms.variant,
                length=length,
                clock=terms.clock_of(row.round),
                options=options_at(terms, length),
                rated=terms.rated and not any(user.is_bot or user.is_guest for user in (a, b)),
                title=self.tournament.name,
                from_url=f"/tournaments/{self.tournament.pk}/",
                adjournable=False,
            )
        except PlayRefused as refusal:  # an account was closed meanwhile: the round goes on without this board
            self.alert("no_board", row.key, code=refusal.code)

    def _close(self, row: Meeting, pairing: Pairing) -> None:
        if pairing.state == "done":
            row.state = Meeting.State.DONE
        row.remind_at = row.no_show_at = row.lock_at = None
        self._call_off(row)

    def _call_off(self, row: Meeting) -> None:
        """End the match of a pairing that was decided elsewhere; a finished one stays linked to its pairing."""
        match, row.remind_at, row.no_show_at = row.match, None, None
        if match is not None and match.status in (Match.Status.OPEN, Match.Status.LIVE):
            row.match = None
            Meeting.objects.filter(pk=row.pk).update(match=None)  # before its end is announced
            play.match_call_off(match_id=match.pk)

    def _rounds_follow(self) -> None:
        """A row for each round in play, and for the next one where rounds open at a time."""
        known = {(row.section, row.round): row for row in self.tournament.round_rows.all()}
        fresh: dict[tuple[str, int], TournamentRound] = {}

        def row_of(section: str, round_: int) -> TournamentRound:
            found = known.get((section, round_)) or fresh.get((section, round_))
            if found is None:
                found = TournamentRound(tournament=self.tournament, section=section, round=round_)
                fresh[section, round_] = found
            return found

        for section, round_ in self._rounds_in_play():
            row = row_of(section, round_)
            if row.opened_at is None:
                hours = self.state.rules.hours_of(round_)
                row.opened_at = self.moment
                row.open_at = None
                row.stalled_at = self.moment + (timedelta(hours=hours) if hours else STALLED)
                row.save()
        if self.state.phase == "running" and self.state.rules.pace == "timed":
            wave = next_wave(self.state)
            if wave.number is not None and self.tournament.begun_at is not None:
                due = self._wave_at(wave.number)
                for section, round_ in wave.rounds or wave.unpaired:
                    row = row_of(section, round_)
                    if row.opened_at is None and row.open_at != due:
                        row.open_at = due
                        row.save()
        elif self.state.phase in ("over", "cancelled"):
            self.tournament.round_rows.update(open_at=None, stalled_at=None)

    def _rounds_in_play(self) -> Iterable[tuple[str, int]]:
        return dict.fromkeys(
            (pairing.section, pairing.round)
            for pairing in self.state.pairings
            if pairing.state == "ready" and self.state.is_open(pairing.section, pairing.round)
        )
