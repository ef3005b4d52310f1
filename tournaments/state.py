"""The state of a tournament: the value that the fold of its events gives. Pure: no Django, no clock, no chance.

`tournaments.fold` says what each kind of event changes in it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import cached_property
from typing import Any, Literal, TypeAlias

from tournaments.boards import Boards, Call, latest_by_board
from tournaments.formats.core import (
    Entrant,
    EntrantPair,
    Format,
    History,
    Key,
    MissedRounds,
    Pairing,
    Result,
    ResultKey,
    Round,
    Standing,
)
from tournaments.formats.registry import FORMATS
from tournaments.series import BRACKET, Series, wins_needed
from tournaments.teams import LineupKey, Teams
from tournaments.terms import Terms, is_main

Phase = Literal["open", "drawn", "running", "over", "cancelled"]


@dataclass(frozen=True, slots=True)
class Event:
    """An event of a tournament: a kind of `tournaments.fold.KINDS` and its data (JSON).

    The events of one transaction share an `act`: the number of its first event. Act 0 is never undone.
    """

    kind: str
    data: Mapping[str, Any] = field(default_factory=dict)
    act: int = 0


@dataclass(frozen=True, slots=True)
class Report:
    """A result that a player reported and nobody confirmed yet; `against` is what the opponent reported instead.

    `of` are the two entrants of the pairing, a first (older events do not have it).
    """

    by: Entrant
    winner: Entrant
    points: tuple[float, float]
    against: tuple[Entrant, tuple[float, float]] | None = None
    of: tuple[Entrant, ...] = ()

    @property
    def disputed(self) -> bool:
        return self.against is not None


@dataclass(frozen=True, slots=True)
class Person:
    """The holder of an entrant's place: an account with its name at that time, or a name without an account."""

    user: int | None = None
    name: str = ""


# A pairing, the entrants who met there (sorted), and the one of them whose place was held by an earlier player.
HeldKey: TypeAlias = tuple[Key, tuple[Entrant, ...], Entrant]


def held_key(pairing: Key, entrants: Iterable[Entrant], number: Entrant) -> HeldKey:
    return pairing, tuple(sorted(entrants)), number


@dataclass(frozen=True, slots=True)
class Break:
    """A break: no pairing opens. Its start, its end (ISO moments; None: until it is ended by hand), and its reason.

    `keys` are the pairings whose matches were paused for it.
    """

    since: str
    until: str | None = None
    why: str = ""
    keys: tuple[Key, ...] = ()


@dataclass(frozen=True, slots=True)
class VenueStay:
    """The copy of the tournament that is at a venue, and since when (an ISO moment)."""

    copy: str
    since: str


@dataclass(frozen=True)
class State:
    """Where a tournament stands after its events."""

    terms: Terms | None = None
    phase: Phase = "open"
    entrants: tuple[Entrant, ...] = ()
    waiting: tuple[Entrant, ...] = ()  # the waiting list, in order
    rosters: Mapping[Entrant, tuple[Entrant, ...]] = field(default_factory=dict)  # of teams: their players, by board
    lineups: Mapping[LineupKey, tuple[Entrant, ...]] = field(default_factory=dict)  # of teams, where they were set
    people: Mapping[Entrant, tuple[Person, ...]] = field(default_factory=dict)  # of places with substitutes, in order
    # Of pairings that were decided before a substitution: which of the `people` of a place played them.
    held: Mapping[HeldKey, int] = field(default_factory=dict)
    paid: frozenset[Entrant] = frozenset()
    checked_in: frozenset[Entrant] = frozenset()
    withdrawn: frozenset[Entrant] = frozenset()
    order: tuple[Entrant, ...] = ()  # the drawn order
    late: Mapping[Entrant, MissedRounds] = field(default_factory=dict)
    together: tuple[EntrantPair, ...] = ()  # pairs that the director wants in the next round
    apart: tuple[EntrantPair, ...] = ()  # pairs that the director never wants
    byes: Mapping[Entrant, frozenset[int]] = field(default_factory=dict)  # the rounds that entrants asked not to play
    round_times: Mapping[tuple[str, int], str] = field(default_factory=dict)  # opening times (ISO), where set by hand
    current_break: Break | None = None
    opened: frozenset[tuple[str, int]] = frozenset()
    rounds: tuple[Round, ...] = ()
    results: dict[ResultKey, Result] = field(default_factory=dict)  # never changed outside `fold`
    reports: Mapping[Key, Report] = field(default_factory=dict)
    penalties: Mapping[ResultKey, Mapping[Entrant, int]] = field(
        default_factory=dict
    )  # by the two of a pairing, sorted
    alerts: Mapping[tuple[str, str], Mapping[str, Any]] = field(default_factory=dict)
    purse: Mapping[str, Any] = field(default_factory=dict)  # tournaments.prizes.Purse, as the last `prized` event says
    boards: Boards = field(default_factory=Boards)
    calls: Mapping[Key, Call] = field(default_factory=dict)  # the last call of each pairing, in the order of the calls
    downtime: timedelta = timedelta(0)  # how long the site was down since the start
    venue_stay: VenueStay | None = None  # until its results are back, or its copy is given up
    # Of an arena; see tournaments.arena_events.
    started_at: datetime | None = None
    paused: frozenset[Entrant] = frozenset()
    free_since: Mapping[Entrant, datetime] = field(default_factory=dict)
    closed: bool = False  # nobody is paired any more

    @property
    def rules(self) -> Terms:
        """The terms, which the first event brings. Raises ValueError before it."""
        if self.terms is None:
            raise ValueError("a tournament begins with its terms")
        return self.terms

    @property
    def plays_online_only(self) -> bool:
        """Whether matches are played on this site only; at a venue they are played over the board (ruling E27)."""
        return self.rules.venue == "online" and self.venue_stay is None

    @property
    def format(self) -> Format:
        return FORMATS[self.rules.config.format]

    @property
    def pairs_free_players(self) -> bool:
        """Whether its format does (`Format.pairs_free_players`); not before the first event, which brings the terms."""
        return self.terms is not None and self.format.pairs_free_players

    @property
    def ends_at(self) -> datetime | None:
        """When the pairing of an arena ends: an outage moves it, a break does not. None before the start."""
        if not self.pairs_free_players or self.started_at is None:
            return None
        return self.started_at + timedelta(minutes=self.rules.config.minutes) + self.downtime

    @property
    def takes_players(self) -> bool:
        """Whether players can enter by themselves while it runs."""
        return self.pairs_free_players and self.phase == "running" and not self.closed

    @property
    def begun(self) -> bool:
        """Whether play has begun at this point of the events, whatever came after."""
        return bool(self.order) and self.phase in ("running", "over", "cancelled")

    @cached_property
    def teams(self) -> Teams:
        """The teams, of a tournament of teams."""
        return Teams(self.rules.config.boards, self.rosters, self.lineups, self.format.sections == "bracket")

    @cached_property
    def series(self) -> Series:
        """Which pairings are decided by a series of matches."""
        config = self.rules.config
        if config.best_of == 1:
            return Series()
        has_bracket = bool(self.order) and self.format.sections in ("bracket", "both")
        drawn = self.format.pairings(config, History(self.order, late=self.late)) if has_bracket else ()
        rounds = max((pairing.round for pairing in drawn if pairing.section == BRACKET), default=0)
        has_final = any(pairing.section == "final" for pairing in drawn)
        return Series(config.best_of, config.best_of_rounds, rounds, has_final)

    @cached_property
    def history(self) -> History:
        results, withdrawn = self.results, self.withdrawn
        if self.series:
            results = self.series.fixture_results(self.results)
        if self.teams.boards:
            results = self.teams.fixture_results(self.results, self.withdrawn)
            withdrawn |= self.teams.without_players(self.order)
        return History(
            self.order,
            results,
            self.rounds,
            withdrawn,
            self.late,
            together=self.together,
            apart=self.apart,
            byes=self.byes,
            paused=self.paused,
            free_since=self.free_since,
            closed=self.closed,
        )

    @cached_property
    def fixtures(self) -> tuple[Pairing, ...]:
        """Every pairing of the format, of players or of teams; none before the draw."""
        return self.format.pairings(self.rules.config, self.history) if self.order else ()

    @cached_property
    def pairings(self) -> tuple[Pairing, ...]:
        """Every pairing of two players that exists: the fixtures, or their boards (of teams) or matches (of series)."""
        if self.series:
            return self.series.pairings(self.fixtures, self.results)
        if not self.teams.boards:
            return self.fixtures
        published = {
            (fixture.section, fixture.round)
            for fixture in self.fixtures
            if self.is_published(fixture.section, fixture.round)
        }
        return self.teams.board_pairings(self.fixtures, self.results, self.withdrawn, published)

    @cached_property
    def fixture_by_key(self) -> Mapping[Key, Pairing]:
        return {fixture.key: fixture for fixture in self.fixtures}

    @cached_property
    def by_key(self) -> Mapping[Key, Pairing]:
        return {pairing.key: pairing for pairing in self.pairings}

    def pairing(self, key: Key) -> Pairing | None:
        """A pairing, or the series that one belongs to; None if there is none with this key."""
        return self.by_key.get(key) or (self.fixture_by_key.get(key) if self.series else None)

    def is_series(self, pairing: Pairing) -> bool:
        """Whether a pairing is a whole series, whose points are matches won."""
        return self.series.length_of(pairing) > 1

    def length(self, pairing: Pairing) -> int:
        """The points that win a pairing: the length of its match, or of a whole series the matches to win."""
        best_of = self.series.length_of(pairing)
        return wins_needed(best_of) if best_of > 1 else self.rules.length(pairing.section, pairing.round)

    @cached_property
    def standings(self) -> tuple[Standing, ...]:
        return self.format.standings(self.rules.config, self.history) if self.order else ()

    @property
    def complete(self) -> bool:
        """Whether nothing is left to play."""
        return bool(self.order) and self.format.over(self.rules.config, self.history)

    def report(self, pairing: Pairing) -> Report | None:
        """The open report about these two entrants; None if it is about others who met at this pairing before."""
        report = self.reports.get(pairing.key)
        return report if report is not None and (report.of or pairing.entrants) == pairing.entrants else None

    def penalties_of(self, pairing: Pairing) -> Mapping[Entrant, int]:
        """The penalty points of these two entrants for their match, without those of others who met there before."""
        if len(pairing.entrants) < 2:
            return {}
        a, b = sorted(pairing.entrants)
        return {**self.penalties.get(pairing.key, {}), **self.penalties.get((pairing.key, a, b), {})}

    @cached_property
    def called(self) -> Mapping[Key, Call]:
        """The calls that hold: of pairings to be played, with the two who were called."""
        return latest_by_board(
            (key, call)
            for key, call in self.calls.items()
            if (pairing := self.by_key.get(key)) is not None
            and pairing.state == "ready"
            and set(call.of) == set(pairing.entrants)
        )

    def predecessor(self, pairing: Pairing, number: Entrant) -> Person | None:
        """Who held the place of an entrant when a pairing was decided, if a substitute has it now (ruling E4)."""
        held = self.held.get(held_key(pairing.key, pairing.entrants, number))
        return self.people[number][held] if held is not None else None

    @property
    def current_alerts(self) -> Mapping[tuple[str, str], Mapping[str, Any]]:
        """The alerts about no pairing, or about two who still meet there."""

        def is_current(key: str, alert: Mapping[str, Any]) -> bool:
            pairing = self.by_key.get(key)
            return "of" not in alert or (pairing is not None and list(pairing.entrants) == alert["of"])

        return {alert_key: alert for alert_key, alert in self.alerts.items() if is_current(alert_key[1], alert)}

    def next_round(self) -> Round | None:
        """The round that can be paired now, for formats that pair while they run.

        Raises formats.core.Invalid where the director's preferences leave somebody without an opponent.
        """
        return self.format.next_round(self.rules.config, self.history) if self.order else None

    def check_draw(self, players: Collection[Entrant]) -> None:
        """Check that these entrants can be drawn.

        Raises formats.core.Invalid: what the format refuses, teams_small (with the `entrants`).
        """
        self.format.check(self.rules.config, len(players))
        self.teams.check_rosters(players)

    def lineup_rounds(self, team: Entrant) -> list[tuple[str, int]]:
        """The rounds for which a team can set its line-up (ruling E21): those in which it will meet a team who is known
        and which have not opened, and the next one that will be paired.
        """
        rounds = {
            (fixture.section, fixture.round): None
            for fixture in self.fixtures
            if team in fixture.entrants and fixture.state in ("waiting", "ready")
        }
        if self.order and self.format.sections == "table" and not self.complete and team not in self.withdrawn:
            rounds[self.format.key, len(self.rounds) + 1] = None
        return [round_ for round_ in rounds if not self.is_published(*round_)]

    def is_open(self, section: str, round_: int) -> bool:
        """Whether the pairings of a round may be played."""
        return self.phase == "running" and self.is_published(section, round_)

    def is_published(self, section: str, round_: int) -> bool:
        """Whether a round has opened: everybody sees the line-ups, which are fixed from then on (ruling E21)."""
        opens_itself = self.rules.pace == "flow" or (self.rules.pace == "timed" and not is_main(section))
        return self.begun and (opens_itself or (section, round_) in self.opened)
