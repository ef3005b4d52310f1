"""A tournament under lock: the events so far, and those that this transaction adds.

The rows that follow from them are written by `follow`.
"""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime, timedelta
from functools import cached_property
from typing import Any, Literal

from django.db.models import Q

from accounts.models import User
from games.database import now
from games.models import Match
from tournaments import acts, notify
from tournaments.errors import Affects, NotFound, Refused
from tournaments.fold import Event, State
from tournaments.formats.core import Invalid, Key, Pairing, Round
from tournaments.models import Entrant, Meeting, Tournament, TournamentEvent
from tournaments.services import follow
from tournaments.waves import Wave, next_wave


def events_of(tournament: Tournament) -> list[Event]:
    """Everything that happened, in order, in one query."""
    rows = TournamentEvent.objects.filter(tournament=tournament).order_by("n").values_list("kind", "data", "act")
    return [Event(*row) for row in rows]


def state_of(tournament: Tournament) -> State:
    """Where a tournament stands: the fold of its events that stand, in one query."""
    return acts.replay(events_of(tournament))


class Desk:
    """The working copy that one transaction reads, adds events to and writes back. Made by `lock` or `opened`."""

    def __init__(self, tournament: Tournament, state: State, moment: datetime) -> None:
        self.tournament = tournament
        self.before = state
        self.state = state
        self.moment = moment  # read after the lock
        self.added: list[TournamentEvent] = []
        self._act: int | None = None  # what this transaction does is one act

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
        self._append(kind, by, data)
        self.state = self.state.after(Event(kind, data))

    def rewrite(self, kind: Literal["undone", "redone"], by: User, *, act: int) -> None:
        """Take an act out of the tournament or put it back, and fold anew. What follows by itself goes with that."""
        self._append(kind, by, {"act": act})
        fresh = (Event(one.kind, one.data, one.act) for one in self.added)
        self.state = acts.replay([*events_of(self.tournament), *fresh])

    def _append(self, kind: str, by: User | None, data: dict[str, Any]) -> None:
        self.tournament.version += 1
        n = self.tournament.version
        self._act = self._act or n
        self.added.append(
            TournamentEvent(tournament=self.tournament, n=n, act=self._act, kind=kind, data=data, by=by, at=self.moment)
        )

    def alert(self, what: str, key: Key = "", **facts: Any) -> None:
        """Tell the directors, once, until they have seen to it."""
        pairing = self.state.by_key.get(key)
        of = list(pairing.entrants) if pairing is not None else None
        known = self.state.alerts.get((what, key))
        if known is None or known.get("of", of) != of:
            self.record("alerted", None, what=what, key=key, **({"of": of} if of else {}), **facts)
            notify.directors_alerted(self.tournament)

    def free(self) -> bool:
        """Whether there is a place for one more."""
        here = len([one for one in self.state.entrants if one not in self.state.withdrawn])
        return self.tournament.capacity is None or here < self.tournament.capacity

    def admit(self) -> None:
        """Places that have become free go to those who wait, in their order; they are told."""
        while self.state.phase == "open" and self.state.waiting and self.free():
            one = self.entrants[self.state.waiting[0]]
            self.record("admitted", None, entrant=one.number)
            notify.admitted(one, self.tournament)

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
            elif self.state.recess is not None or not self._next_round():
                break

    def _next_round(self) -> bool:
        """Open what may open now. Whether anything did."""
        if self.state.rules.pace != "flow":
            wave = next_wave(self.state)
            due = self.opens_at(wave)
            if due is None or self.moment < due:
                return False
            if wave.rounds:
                for section, round_ in wave.rounds:
                    self.record("opened", None, section=section, round=round_)
                return True
        try:
            paired = self.state.next_round()
        except Invalid as fault:
            self.alert("unpaired", code=fault.code, params=self.named(fault))
            return False
        if paired is not None:
            self.pair(paired)
        return paired is not None

    def opens_at(self, wave: Wave) -> datetime | None:
        """When a wave opens: when the director said, or where rounds open at a time, so long after the start."""
        said = [self.state.times[one] for one in (*wave.rounds, *wave.unpaired) if one in self.state.times]
        if said:
            return datetime.fromisoformat(said[0])
        if self.state.rules.pace != "timed" or wave.number is None:
            return None
        begun = (self.tournament.begun_at or self.moment) + self.state.stood  # the time of an outage does not count
        return begun + wave.number * timedelta(minutes=self.state.rules.round_minutes)

    def named(self, fault: Invalid) -> dict[str, Any]:
        """What a format refuses, with names in place of the numbers of entrants."""
        there = (self.entrants[number].name for number in fault.params.get("entrants", ()))  # type: ignore[attr-defined]
        return {**fault.params, "names": ", ".join(there)}

    # Writing back

    def need_agreement(self, agreed: Collection[Key] | None, *, told: Collection[Key]) -> None:
        """What was rewritten may reset only pairings that the director was shown: exactly those (`agreed`).

        `told`: the pairings whose own results he takes back or corrects. Raises Affects.
        """
        going = Q(match__status=Match.Status.LIVE)
        ended = Q(match__status=Match.Status.OVER, state=Meeting.State.READY)  # its result is on its way
        live = self.tournament.meetings.filter(going | ended).order_by()
        lost = acts.affected(self.before, self.state, frozenset(live.values_list("key", flat=True)), told)
        if lost and {one.pairing.key for one in lost} != set(agreed or ()):
            raise Affects(lost)

    def commit(self, why: str = "") -> None:
        """Write the events and every row that follows from them, open the matches that are ready, tell the pages.

        `why` is the reason that stands beside a match whose result counts otherwise from now on.
        """
        if not self.added:
            return
        follow.entrants(self)
        follow.meetings(self)
        follow.rounds(self)
        TournamentEvent.objects.bulk_create(self.added)
        follow.tournament(self)
        follow.results(self, why)
        notify.changed(self.tournament.pk, self.tournament.version)
